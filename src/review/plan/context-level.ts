// How much of the surroundings a unit is shown with, from least to most.

export const contextLevels = ['diff_only', 'function', 'file_context', 'full_file'] as const;

export type ContextLevel = (typeof contextLevels)[number];

export function levelRank(level: ContextLevel): number {
  return contextLevels.indexOf(level);
}

export function isContextLevel(value: unknown): value is ContextLevel {
  return contextLevels.some((level) => level === value);
}

export function higherLevel(left: ContextLevel, right: ContextLevel): ContextLevel {
  return levelRank(right) > levelRank(left) ? right : left;
}
