import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
afterAll(() => {
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
  const cpu = process.cpuUsage();
  const mb = (n: number) => Math.round(n / 1e6);
  appendFileSync('/tmp/memory.log', `${process.pid} rss ${mb(rss)} used ${mb(heapUsed)} total ${mb(heapTotal)} ext ${mb(external)} ab ${mb(arrayBuffers)} u ${mb(cpu.user)} s ${mb(cpu.system)} ${expect.getState().testPath}\n`);
});
