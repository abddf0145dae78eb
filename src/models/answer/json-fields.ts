// One line of a CLI's output as an event. Noise is no event; fields are read without trusting their shape.

export type JsonObject = Readonly<Record<string, unknown>>;

export function parseEvent(line: string): JsonObject | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function pick(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}

export function pickText(value: unknown, ...path: readonly string[]): string | undefined {
  const found = pick(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

export function pickCount(value: unknown, ...path: readonly string[]): number | undefined {
  const found = pick(value, ...path);
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
