// A change to a small file as people read it: the lines that go, the lines that come, three around them.

const around = 3;

export function lineDiff(before: string, after: string, path: string): string[] {
  const old = linesOf(before);
  const fresh = linesOf(after);
  let head = 0;
  while (head < Math.min(old.length, fresh.length) && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (
    tail < Math.min(old.length, fresh.length) - head &&
    old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]
  ) {
    tail += 1;
  }
  const start = Math.max(0, head - around);
  const context = (lines: readonly string[]) => lines.map((line) => ` ${line}`);
  const oldEnd = old.length - tail;
  const freshEnd = fresh.length - tail;
  const below = old.slice(oldEnd, oldEnd + around);
  const range = (end: number) => {
    const length = end + below.length - start;
    return `${length === 0 ? 0 : start + 1},${length}`;
  };
  return [
    before === '' ? '--- /dev/null' : `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -${range(oldEnd)} +${range(freshEnd)} @@`,
    ...context(old.slice(start, head)),
    ...old.slice(head, oldEnd).map((line) => `-${line}`),
    ...fresh.slice(head, freshEnd).map((line) => `+${line}`),
    ...context(below),
  ];
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
