// A changed file, or a part of one, that is not sent: named with its reason and what it would have added.

export interface Omission {
  readonly path: string;
  readonly reason: string;
  /** Id of the rule behind the reason. */
  readonly rule: string;
  readonly added: number;
  readonly removed: number;
  /** Only some of the file's changed lines are left out. */
  readonly partial?: boolean;
}
