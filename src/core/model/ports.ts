// What the press needs from outside: it has no clock, no randomness and no cryptography of its own.

/** SHA-256 of the UTF-8 bytes, in lowercase hexadecimal. */
export type Hash = (text: string) => string;

/** Runs work under a time limit; rejects with TIMEOUT or CANCELLED, and aborts the signal it hands out. */
export type Deadline = <T>(
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;
