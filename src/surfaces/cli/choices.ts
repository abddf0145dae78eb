// Values that flags may take and that no light module knows. The schemas of the operations have the last word; a test keeps
// both equal.
export const reportFormats = ['markdown', 'json', 'sarif', 'rdjson', 'rdjsonl', 'gitlab', 'github'] as const;
export const trims = ['exact', 'hops'] as const;
export const constraintKinds = ['narrative', 'character', 'world', 'style', 'plot'] as const;
export const inclusions = ['always', 'detected', 'manual', 'never'] as const;
export const memoryKinds = ['semantic', 'episodic', 'working'] as const;
