// What a story knows about someone or something: names, facts that hold for a while, secrets, and ties to others.

export interface Fact {
  readonly text: string;
  /** First chapter in which it holds; from the start when absent. */
  readonly from?: number;
  /** Last chapter in which it holds; to the end when absent. */
  readonly until?: number;
  /** First chapter in which it may be told; never a secret when absent. */
  readonly secretUntil?: number;
  /** Words that give the secret away. */
  readonly keywords?: readonly string[];
}

export interface Relation {
  /** Id of the other entity. */
  readonly to: string;
  readonly kind?: string;
}

export interface NamedEntity {
  readonly id: string;
  readonly name: string;
  readonly aliases?: readonly string[];
}

export interface Entity extends NamedEntity {
  readonly role?: string;
  readonly facts?: readonly Fact[];
  readonly relations?: readonly Relation[];
  /** Spellings of the name that are wrong and must not appear. */
  readonly forbiddenVariants?: readonly string[];
}
