// Where everything that stands in the texts comes from, each file once for every unbroken run of lines.
import type { Receipt } from '../../core/model/receipt.js';
import { isPresent } from '../context/layer-outcomes.js';

interface Stretch {
  readonly path: string;
  readonly start: number;
  end: number;
}

const lined = /^(ref:.*)#L(\d+)-L(\d+)$/su;

export function keptRefs(receipt: Receipt): readonly string[] {
  const refs = new Set<string>();
  let open: Stretch | undefined;
  const close = () => {
    if (open !== undefined) refs.add(`${open.path}#L${open.start}-L${open.end}`);
    open = undefined;
  };
  for (const line of receipt.ledger) {
    if (!isPresent(line) || line.ref === undefined) continue;
    const [, path, from, to] = lined.exec(line.ref) ?? [];
    if (path === undefined) {
      close();
      refs.add(line.ref);
      continue;
    }
    const start = Number(from);
    if (open?.path === path && start >= open.start && start <= open.end + 1) {
      open.end = Math.max(open.end, Number(to));
      continue;
    }
    close();
    open = { path, start, end: Number(to) };
  }
  close();
  return [...refs];
}
