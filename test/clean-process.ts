// Files share a process: none inherits the exit code that another one's command left behind.
import { beforeEach } from 'vitest';

beforeEach(() => {
  process.exitCode = undefined;
});
