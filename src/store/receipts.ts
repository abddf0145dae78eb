// What was sent before. The newest of each project are kept, older ones go.

export interface ReceiptEntry {
  readonly id: string;
  readonly project: string;
  readonly operation: string;
  readonly createdAt: number;
  /** JSON shown in lists. */
  readonly summary: Readonly<Record<string, unknown>>;
}

export interface StoredReceipt extends ReceiptEntry {
  /** JSON. */
  readonly value: unknown;
}

export interface ReceiptDraft {
  readonly id?: string;
  readonly operation: string;
  readonly summary?: Readonly<Record<string, unknown>>;
  readonly value: unknown;
}

export interface Receipts {
  /** A taken id is ALREADY_EXISTS: receipts never change. */
  put(project: string, draft: ReceiptDraft): Promise<ReceiptEntry>;
  get(project: string, id: string): Promise<StoredReceipt>;
  /** Newest first, 50 unless told. */
  list(project: string, options?: { limit?: number; operation?: string }): Promise<readonly ReceiptEntry[]>;
}
