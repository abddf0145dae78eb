import { describe, expect, it } from 'vitest';
import { busyProcessor } from './busy-processor.js';

describe('a processor', () => {
  it('is busy while it rests for less than a twentieth of the time, as it was seen last', () => {
    let time = 0;
    const used = { idle: 0, active: 0 };
    const isBusy = busyProcessor(
      () => time,
      (now = { ...used, utilization: 0 }, before = { idle: 0, active: 0, utilization: 0 }) => {
        const [idle, active] = [now.idle - before.idle, now.active - before.active];
        return { idle, active, utilization: active / (idle + active) };
      },
    );
    const pass = (active: number, idle: number) => {
      used.active += active;
      used.idle += idle;
      time += active + idle;
    };
    pass(30, 0);
    // Too short a look says nothing.
    expect(isBusy()).toBe(false);
    pass(70, 0);
    expect(isBusy()).toBe(true);
    pass(5, 5);
    expect(isBusy()).toBe(true);
    pass(90, 10);
    expect(isBusy()).toBe(false);
  });
});
