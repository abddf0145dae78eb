// Whose call comes next? Each caller has a line of its own, and the lines are served by start-time fair queueing: a call begins
// at the virtual time its caller has been served to, and serves it further by the time it took over the caller's weight; the line
// that was served least comes next. Time is foreseen when a call begins, counted while it runs and set right when it ends.
// Nobody is remembered for having been idle, and no place stays empty while somebody waits.
//
// One caller with long calls would hold every place. Whoever is due and has nothing running therefore begins although all places
// are taken, up to twice as many; they fall back as calls end. Due is who has had less than everybody that runs. Where there is
// one place, calls give way at their seams to those that come before them. Work without seams is not interrupted: there, who would
// wait less for the place than its own call takes does wait, since calls of equal length that share a processor both end later by it.
//
// Who asks for one thing at a time is not held up by who keeps a line waiting: its calls count half, and it comes one call earlier.

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
  /** At a seam of its work: whether it has to wait for others that come first. Then `goOn` is called when it may go on. */
  giveWay(ticket: Ticket<Entry>, goOn: () => void): boolean;
  /** Lets those go on that gave way and need not any more. */
  resume(): void;
  /** Gives its place back. */
  end(ticket: Ticket<Entry>): void;
  running(): number;
  /** Of those that run, how many gave way. */
  paused(): number;
  waiting(): number;
  waitingOf(mark: string): number;
  /** Places a caller can count on while all who are here now want theirs; never less than one. */
  placesOf(caller: Share): number;
}

interface Run {
  /** The virtual time it began at. */
  readonly start: number;
  /** Later by the time it gave way. */
  since: number;
  readonly foreseen: number;
  /** That its time is counted by. */
  readonly weight: number;
  paused?: { readonly at: number; readonly goOn: () => void } | undefined;
}

interface Line<Entry> {
  readonly mark: string;
  weight: number;
  /** The virtual time its caller has been served to, but for what its running calls take beyond what was foreseen. */
  served: number;
  /** Moving average of what its calls take. */
  usual: number;
  /** Before its first call has ended, `usual` is a guess from the calls of others. */
  isKnown: boolean;
  readonly running: Map<Ticket<Entry>, Run>;
  readonly waiting: Set<Ticket<Entry>>;
}

/** What the least call counts, so that calls too quick to be measured are counted. */
const least = 1;

/** So much more weight has who asks for one thing at a time. */
const oneAtATime = 2;

/** `places` may change while calls run; `now` in milliseconds. */
export function createFairQueue<Entry>(places: () => number, now: () => number): FairQueue<Entry> {
  const lines = new Map<string, Line<Entry>>();
  let time = 0;
  let running = 0;
  let waiting = 0;
  let usual = least;
  /** Known when the first has come to one. */
  let hasSeams = false;

  const elapsedOf = ({ since, paused }: Run, at: number) => (paused?.at ?? at) - since;
  const startOf = (line: Line<Entry>, at: number) => {
    let beyond = 0;
    for (const run of line.running.values())
      beyond += Math.max(0, elapsedOf(run, at) - run.foreseen) / run.weight;
    return line.served + beyond;
  };
  const asksOneAtATime = (line: Line<Entry>) => line.running.size === 0 && line.waiting.size === 1;
  const weightOf = (line: Line<Entry>) => line.weight * (asksOneAtATime(line) ? oneAtATime : 1);
  const creditOf = (line: Line<Entry>) => (asksOneAtATime(line) ? line.usual / weightOf(line) : 0);
  const leastServed = (at: number, among: (line: Line<Entry>) => boolean = () => true) => {
    let found: { readonly line: Line<Entry>; readonly start: number } | undefined;
    for (const line of lines.values()) {
      if (line.waiting.size === 0 || !among(line)) continue;
      const start = startOf(line, at) - creditOf(line);
      if (found === undefined || start < found.start) found = { line, start };
    }
    return found;
  };
  const runs = function* () {
    for (const { running: calls } of lines.values()) yield* calls.values();
  };
  const reached = (run: Run, at: number) => run.start + elapsedOf(run, at) / run.weight;
  const endsSoon = (run: Run, elapsed: number, line: Line<Entry>) =>
    // One that has taken twice as long as was foreseen may take forever.
    line.isKnown && elapsed <= 2 * run.foreseen && run.foreseen - elapsed <= line.usual;
  const isDue = ({ line, start }: { readonly line: Line<Entry>; readonly start: number }, at: number) => {
    for (const run of runs()) {
      if (start > reached(run, at)) return false;
      if (places() === 1 && !hasSeams && endsSoon(run, elapsedOf(run, at), line)) return false;
    }
    return true;
  };
  const chosen = (at: number) => {
    const first = leastServed(at);
    if (running < places() || first === undefined) return first;
    if (running >= 2 * places()) return undefined;
    const idle = leastServed(at, (line) => line.running.size === 0);
    return idle !== undefined && isDue(idle, at) ? idle : undefined;
  };
  const lineOf = ({ mark, weight }: Share): Line<Entry> => {
    const known = lines.get(mark);
    if (known !== undefined) {
      known.weight = weight;
      return known;
    }
    const line: Line<Entry> = {
      ...{ mark, weight, served: 0, usual, isKnown: false },
      ...{ running: new Map(), waiting: new Set() },
    };
    lines.set(mark, line);
    return line;
  };
  const resume = () => {
    const at = now();
    let first: Run | undefined;
    for (const run of runs()) if (first === undefined || reached(run, at) < reached(first, at)) first = run;
    for (const run of runs()) {
      if (run.paused === undefined || (run !== first && places() === 1)) continue;
      const { at: since, goOn } = run.paused;
      run.since += at - since;
      run.paused = undefined;
      goOn();
    }
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
      const weight = weightOf(line);
      line.waiting.delete(ticket);
      waiting -= 1;
      running += 1;
      // Whoever runs beyond what was foreseen has its time counted there.
      const foreseen = line.usual;
      line.running.set(ticket, { start, since, foreseen, weight });
      // The latest of a caller's many calls is ahead of all that it was given so far: whoever comes stands with the earliest.
      time = Math.max(time, Math.min(...Array.from(runs(), (run) => run.start)));
      line.served += foreseen / weight;
      return ticket;
    },
    giveWay(ticket, goOn) {
      hasSeams = true;
      const run = lines.get(ticket.caller.mark)?.running.get(ticket);
      if (run === undefined) return false;
      run.paused = { at: now(), goOn };
      resume();
      return run.paused !== undefined;
    },
    resume,
    end(ticket) {
      const line = lines.get(ticket.caller.mark);
      const run = line?.running.get(ticket);
      if (line === undefined || run === undefined) return;
      line.running.delete(ticket);
      running -= 1;
      const took = Math.max(least, elapsedOf(run, now()));
      line.served += (took - run.foreseen) / run.weight;
      line.usual += (took - line.usual) / 4;
      line.isKnown = true;
      usual += (took - usual) / 16;
      // Nobody owes anything to an empty room.
      if (running === 0 && waiting === 0) lines.clear();
      else for (const each of lines.values()) forget(each);
      resume();
    },
    running: () => running,
    paused: () => [...runs()].filter((run) => run.paused !== undefined).length,
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
