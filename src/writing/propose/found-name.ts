// A name that was found in a text, before anybody looks how often it stands there.
export interface FoundName {
  readonly name: string;
  /** Other forms of it, where it is plain that they mean the same. */
  readonly aliases: readonly string[];
  /** How often something is said or done under it. */
  readonly acts: number;
  readonly isPerson: boolean;
}
