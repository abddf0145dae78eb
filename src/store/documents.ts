// The texts one writes in, in reading order.

export interface DocumentEntry {
  readonly id: string;
  readonly title: string;
  readonly order: number;
  /** SHA-256 of the text, lowercase hexadecimal. */
  readonly contentHash: string;
  readonly version: number;
  readonly updatedAt: number;
}

export interface StoredDocument extends DocumentEntry {
  readonly text: string;
}

export interface DocumentDraft {
  readonly id: string;
  readonly text: string;
  /** Left out: as before, or the id of a new document. */
  readonly title?: string;
  /** Left out: as before, or behind the last one of the project. */
  readonly order?: number;
}

export interface Documents {
  /** The version moves only when something changed. */
  put(project: string, draft: DocumentDraft): Promise<DocumentEntry>;
  get(project: string, id: string): Promise<StoredDocument>;
  find(project: string, id: string): Promise<StoredDocument | undefined>;
  /** By order, then id. */
  list(project: string): Promise<readonly DocumentEntry[]>;
  /** Takes the document's chunks out of the index as well. */
  delete(project: string, id: string): Promise<void>;
}
