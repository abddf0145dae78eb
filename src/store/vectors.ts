// Vectors of the texts in the retrieval index, kept by content and by the model that made them, so that no text is sent twice.

export interface TextVector {
  readonly contentHash: string;
  readonly vector: Float32Array;
}

export interface UnseenText {
  readonly contentHash: string;
  readonly text: string;
}

export interface Vectors {
  /** Texts of chunks without a vector of that model, each once, by content hash. */
  missing(project: string, model: string, limit: number): Promise<readonly UnseenText[]>;
  /** Replaces what is known of the same texts; vectors of texts that no chunk holds any more go. */
  put(project: string, model: string, vectors: readonly TextVector[]): Promise<void>;
  /** Forgetting what is not known is fine. */
  forget(project: string, model: string): Promise<void>;
  /** Of texts that chunks hold, by content hash. */
  list(project: string, model: string): Promise<readonly TextVector[]>;
}
