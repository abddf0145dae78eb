// Whose text this is. Fragments of another project never enter an assembly.

export interface Scope {
  readonly project: string;
  readonly document?: string;
  readonly caller?: string;
}
