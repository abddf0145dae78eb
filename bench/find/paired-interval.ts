// A mean of paired differences with its 95 % interval, in points. Repositories are drawn, not tasks: what holds on one repository says
// little about the next.
export const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export function drawnInterval(differences: readonly (readonly number[])[]): string {
  let state = 12_345;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
  const draws = Array.from({ length: 2_000 }, () =>
    mean(differences.map(() => mean(differences[Math.floor(next() * differences.length)] ?? [0]))),
  ).sort((a, b) => a - b);
  const points = (value: number | undefined) => (100 * (value ?? 0)).toFixed(1);
  return `${points(mean(differences.map(mean)))} [${points(draws[50])}, ${points(draws[1950])}]`;
}
