// A value in the result, never thrown: the assembly went on, and this is what the caller should know.

export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}
