/** Lines of help are no longer than this; wider ones are harder to read. */
export const fullHelpWidth = 80;

export function helpWidth(): number {
  return Math.min(process.stdout.columns ?? fullHelpWidth, fullHelpWidth);
}
