// How many pages are done: one moving line on a terminal, a line for every tenth of them elsewhere.

export interface RunProgress {
  show(progress: { readonly done: number; readonly total: number }): void;
  clear(): void;
}

export function runProgress(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>): RunProgress {
  let open = false;
  return {
    show({ done, total }) {
      const text = `${done} of ${total} page(s) done`;
      if (stream.isTTY) {
        open = true;
        stream.write(`\r\u001b[K${text}`);
      } else if (done === total || done % Math.max(1, Math.ceil(total / 10)) === 0)
        stream.write(`galley: ${text}\n`);
    },
    clear() {
      if (open) stream.write('\r\u001b[K');
      open = false;
    },
  };
}
