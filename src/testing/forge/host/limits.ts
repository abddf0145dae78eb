// How much an account may write in a while; the clock is the forge's own.
export interface CreationLimits {
  /** Undefined where it may; otherwise for how long not. Only what may be written is counted. */
  refusedFor(login: string): number | undefined;
}

export interface Allowance {
  readonly count: number;
  readonly ms: number;
}

export function creationLimits(allowances: readonly Allowance[], now: () => number): CreationLimits {
  const written = new Map<string, number[]>();
  return {
    refusedFor(login) {
      const times = written.get(login) ?? [];
      for (const { count, ms } of allowances) {
        const recent = times.filter((time) => time > now() - ms);
        if (recent.length >= count) return recent[0]! + ms - now();
      }
      written.set(login, [...times, now()]);
      return undefined;
    },
  };
}
