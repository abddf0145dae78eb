// Values that flags may take. The schemas of the operations have the last word; a test keeps both equal. They are written down
// here so that help needs no other room.
export const contextLevelChoices = ['diff_only', 'function', 'file_context', 'full_file'] as const;
export const severityChoices = ['critical', 'high', 'medium', 'low', 'info'] as const;
export const failLevels = [...severityChoices, 'none'] as const;
export const reportFormatChoices = [
  'markdown',
  'json',
  'sarif',
  'rdjson',
  'rdjsonl',
  'gitlab',
  'github',
] as const;
export const trims = ['exact', 'hops'] as const;
export const constraintKinds = ['narrative', 'character', 'world', 'style', 'plot'] as const;
export const inclusions = ['always', 'detected', 'manual', 'never'] as const;
export const promptLanguages = ['zh', 'en'] as const;
export const memoryKinds = ['semantic', 'episodic', 'working'] as const;
