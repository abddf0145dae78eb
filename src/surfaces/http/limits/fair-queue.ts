// Whose call comes next? Each caller has a line of its own, and the lines are served by start-time fair queueing: a call begins
// at the virtual time its caller has been served to, and serves it further by the time it took over the caller's weight; the line
// that was served least comes next. Time is foreseen when a call begins, counted while it runs and set right when it ends.
// Nobody is remembered for having been idle, and no place stays empty while somebody waits.
//
// Calls are never interrupted, so one caller with long ones would hold every place. Whoever is due and has nothing
// running therefore begins although all places are taken, up to twice as many; they fall back as calls end.

export interface Share {
  readonly mark: string;
  readonly weight: number;
}

export interface Ticket<Entry> {
  readonly caller: Share;
  readonly entry: Entry;
}

export interface FairQueue<Entry> {
  join(caller: Share, entry: Entry): Ticket<Entry>;
  /** Of one that waits; false when it does not. */
  leave(ticket: Ticket<Entry>): boolean;
  /** Takes a place for the next call, if one may begin. */
  next(): Ticket<Entry> | undefined;
  /** Gives its place back. */
  end(ticket: Ticket<Entry>): void;
  running(): number;
  waiting(): number;
  waitingOf(mark: string): number;
  /** Places a caller can count on while all who are here now want theirs; never less than one. */
  placesOf(caller: Share): number;
}

interface Line<Entry> {
  readonly mark: string;
  weight: number;
  /** The virtual time its caller has been served to, but for what its running calls take beyond what was foreseen. */
  served: number;
  /** Moving average of what its calls take. */
  usual: number;
  readonly running: Map<Ticket<Entry>, { readonly since: number; readonly foreseen: number }>;
  readonly waiting: Set<Ticket<Entry>>;
}

/** What the least call counts, so that calls too quick to be measured are counted. */
const least = 1;

/** `places` may change while calls run; `now` in milliseconds. */
export function createFairQueue<Entry>(places: () => number, now: () => number): FairQueue<Entry> {
  const lines = new Map<string, Line<Entry>>();
  let time = 0;
  let running = 0;
  let waiting = 0;
  let usual = least;

  const startOf = (line: Line<Entry>, at: number) => {
    let beyond = 0;
    for (const { since, foreseen } of line.running.values()) beyond += Math.max(0, at - since - foreseen);
    return line.served + beyond / line.weight;
  };
  const leastServed = (at: number, among: (line: Line<Entry>) => boolean = () => true) => {
    let found: { readonly line: Line<Entry>; readonly start: number } | undefined;
    for (const line of lines.values()) {
      if (line.waiting.size === 0 || !among(line)) continue;
      const start = startOf(line, at);
      if (found === undefined || start < found.start) found = { line, start };
    }
    return found;
  };
  const chosen = (at: number) => {
    const first = leastServed(at);
    if (running < places() || first === undefined) return first;
    if (running >= 2 * places()) return undefined;
    const idle = leastServed(at, (line) => line.running.size === 0);
    // It may be a call ahead of its turn, or calls of equal right would wait for each other's end.
    const isDue = idle !== undefined && idle.start <= first.start + idle.line.usual / idle.line.weight;
    return isDue ? idle : undefined;
  };
  const lineOf = ({ mark, weight }: Share): Line<Entry> => {
    const known = lines.get(mark);
    if (known !== undefined) {
      known.weight = weight;
      return known;
    }
    const line = { mark, weight, served: 0, usual, running: new Map(), waiting: new Set<Ticket<Entry>>() };
    lines.set(mark, line);
    return line;
  };
  const forget = (line: Line<Entry>) => {
    if (line.running.size === 0 && line.waiting.size === 0 && line.served <= time) lines.delete(line.mark);
  };

  return {
    join(caller, entry) {
      const ticket = { caller, entry };
      const line = lineOf(caller);
      // Who comes back is served from now on; who was here all the time keeps what it is owed.
      if (line.running.size === 0 && line.waiting.size === 0) line.served = Math.max(time, line.served);
      line.waiting.add(ticket);
      waiting += 1;
      return ticket;
    },
    leave(ticket) {
      const line = lines.get(ticket.caller.mark);
      if (line?.waiting.delete(ticket) !== true) return false;
      waiting -= 1;
      forget(line);
      return true;
    },
    next() {
      const since = now();
      const { line, start } = chosen(since) ?? {};
      const [ticket] = line?.waiting ?? [];
      if (line === undefined || start === undefined || ticket === undefined) return undefined;
      time = Math.max(time, leastServed(since)?.start ?? start);
      line.waiting.delete(ticket);
      waiting -= 1;
      running += 1;
      // Whoever runs beyond what was foreseen has its time counted there.
      const foreseen = line.usual;
      line.served += foreseen / line.weight;
      line.running.set(ticket, { since, foreseen });
      return ticket;
    },
    end(ticket) {
      const line = lines.get(ticket.caller.mark);
      const run = line?.running.get(ticket);
      if (line === undefined || run === undefined) return;
      line.running.delete(ticket);
      running -= 1;
      const took = Math.max(least, now() - run.since);
      line.served += (took - run.foreseen) / line.weight;
      line.usual += (took - line.usual) / 4;
      usual += (took - usual) / 16;
      // Nobody owes anything to an empty room.
      if (running === 0 && waiting === 0) lines.clear();
      else for (const each of lines.values()) forget(each);
    },
    running: () => running,
    waiting: () => waiting,
    waitingOf: (mark) => lines.get(mark)?.waiting.size ?? 0,
    placesOf({ mark, weight }) {
      let all = lines.has(mark) ? 0 : weight;
      for (const line of lines.values())
        if (line.running.size > 0 || line.waiting.size > 0) all += line.weight;
      return Math.max(1, places() * Math.min(1, weight / Math.max(all, weight)));
    },
  };
}
