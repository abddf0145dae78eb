// What went wrong on the wire, from an error of the platform: its code alone, since its words may quote an address or a key.

/** ECONNREFUSED, UND_ERR_SOCKET and their like. */
export function networkCode(thrown: unknown): string | undefined {
  for (const error of causesOf(thrown)) {
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code)) return code;
  }
  return undefined;
}

/** An error and those it was wrapped around, the outermost first. */
export function* causesOf(thrown: unknown): Generator<Error> {
  let found = thrown;
  for (let depth = 0; depth < 6 && found instanceof Error; depth += 1) {
    yield found;
    found = found instanceof AggregateError ? (found.errors[0] ?? found.cause) : found.cause;
  }
}
