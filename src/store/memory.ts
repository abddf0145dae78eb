// What is remembered. A caller's memory counts at once; what the system learned waits for confirmation.

export type MemoryKind = 'semantic' | 'episodic' | 'working';

export interface MemoryItem {
  readonly id: string;
  readonly kind: MemoryKind;
  readonly text: string;
  /** 0..1. */
  readonly confidence: number;
  readonly confirmed: boolean;
  readonly origin: 'caller' | 'learned';
  readonly createdAt: number;
}

export interface MemoryDraft {
  readonly id?: string;
  readonly kind: MemoryKind;
  readonly text: string;
  /** 1 from a caller, 0.5 learned, unless told. */
  readonly confidence?: number;
}

export interface MemoryFilter {
  readonly kind?: MemoryKind;
  readonly confirmed?: boolean;
  readonly origin?: 'caller' | 'learned';
}

export interface Memory {
  /** With a known id: replaces its kind, text and confidence, and confirms it. */
  put(project: string, draft: MemoryDraft): Promise<MemoryItem>;
  /** A taken id is ALREADY_EXISTS: learning never overwrites. */
  learn(project: string, draft: MemoryDraft): Promise<MemoryItem>;
  confirm(project: string, id: string): Promise<MemoryItem>;
  get(project: string, id: string): Promise<MemoryItem>;
  /** In order of creation. */
  list(project: string, filter?: MemoryFilter): Promise<readonly MemoryItem[]>;
  delete(project: string, id: string): Promise<void>;
}
