// A project's budget, opaque to the store. Version 0 means that nothing was stored yet.

export interface StoredBudget {
  readonly version: number;
  /** JSON; undefined at version 0. */
  readonly value: unknown;
}

export interface Budgets {
  get(project: string): Promise<StoredBudget>;
  /** A version that is not the current one is refused with CONTEXT_BUDGET_CONFLICT and changes nothing. */
  update(project: string, expectedVersion: number, value: unknown): Promise<StoredBudget>;
}
