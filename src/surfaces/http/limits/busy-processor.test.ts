import { describe, expect, it } from 'vitest';
import { busyProcessor } from './busy-processor.js';

describe('a processor', () => {
  it('is busy while it rests for less than an eighth of the time, as it was seen last', () => {
    let time = 0;
    const used = { idle: 0, active: 0 };
    const isBusy = busyProcessor(() => time, {
      machine: () => ({ idle: time, all: time }),
      utilization: (now = { ...used, utilization: 0 }, before = { idle: 0, active: 0, utilization: 0 }) => {
        const [idle, active] = [now.idle - before.idle, now.active - before.active];
        return { idle, active, utilization: active / (idle + active) };
      },
    });
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
    pass(95, 5);
    expect(isBusy()).toBe(true);
    pass(85, 15);
    expect(isBusy()).toBe(false);
  });

  it('is busy, too, while others leave less than a tenth of the machine', () => {
    let [time, idle] = [0, 0];
    const isBusy = busyProcessor(() => time, {
      machine: () => ({ idle, all: 2 * time }),
      utilization: () => ({ idle: 1, active: 1, utilization: 0.5 }),
    });
    time += 500;
    idle += 90;
    expect(isBusy()).toBe(true);
    time += 100;
    idle += 200;
    // Too short a look says nothing.
    expect(isBusy()).toBe(true);
    time += 400;
    idle += 150;
    expect(isBusy()).toBe(false);
  });
});
