// Text as a pattern that matches just itself, for regular expressions here and for git's extended ones.

export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
