// What fills the window, to scale and in numbers: by kind, and the ten heaviest pieces.
import { grouped } from '../shell/words/word.js';
import { dollarsOf, type Inspection, percentOf } from './timeline.js';
import { say } from './words.js';

type Share = Inspection['parts'][number];
type Heavy = Inspection['heaviest'][number];

/** Every kind has its colour, in every session. */
const colours: Readonly<Record<Share['kind'], number>> = {
  system: 0,
  tools: 1,
  memory: 3,
  messages: 5,
  results: 2,
  'not-in-file': 7,
};

export function WindowPicture({ inspection }: { inspection: Inspection }) {
  const { parts: shares, tokens, windowTokens, heaviest } = inspection;
  const held = shares.reduce((sum, share) => sum + share.tokens, 0);
  const whole = Math.max(windowTokens ?? 0, tokens ?? 0, held, 1);
  const free = whole - held;
  const caption =
    tokens === undefined
      ? say('head.unknown')
      : windowTokens === undefined
        ? say('head.some', { n: grouped(tokens) })
        : say('head.of', {
            n: grouped(tokens),
            of: grouped(windowTokens),
            percent: percentOf(tokens, windowTokens),
          });
  return (
    <section aria-labelledby="head">
      <h3 id="head">{say('head.title')}</h3>
      <p>{caption}</p>
      <div class="bar-of-budget window" aria-hidden="true">
        {shares
          .filter((share) => share.tokens > 0)
          .map((share) => (
            <span
              key={share.kind}
              class={`fill c${colours[share.kind]}`}
              title={`${say(`kind.${share.kind}`)}: ${grouped(share.tokens)}`}
              style={{ width: `${(share.tokens / whole) * 100}%` }}
            />
          ))}
      </div>
      <div class="side-by-side">
        <SharesTable shares={shares} free={windowTokens === undefined ? 0 : free} whole={whole} />
        <HeaviestTable heaviest={heaviest} />
      </div>
    </section>
  );
}

function SharesTable({ shares, free, whole }: { shares: readonly Share[]; free: number; whole: number }) {
  return (
    <div class="scrolls" role="region" aria-label={say('col.fills')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>{say('col.fills')}</th>
            <th class="number">{say('col.tokens')}</th>
            <th class="number">{say('col.share')}</th>
            <th class="number">{say('col.items')}</th>
          </tr>
        </thead>
        <tbody>
          {shares.flatMap(({ kind, tokens, items, of = {} }) => [
            <tr key={kind}>
              <td>
                <span class={`dot c${colours[kind]}`} aria-hidden="true" /> {say(`kind.${kind}`)}
              </td>
              <td class="number">{grouped(tokens)}</td>
              <td class="number">{percentOf(tokens, whole)} %</td>
              <td class="number">{items === 0 ? '' : grouped(items)}</td>
            </tr>,
            ...Object.entries(of).map(([part, n]) => (
              <tr key={`${kind} ${part}`} class="quiet">
                <td class="within">{partName(part)}</td>
                <td class="number">{grouped(n)}</td>
                <td class="number">{percentOf(n, whole)} %</td>
                <td />
              </tr>
            )),
          ])}
          {free <= 0 ? null : (
            <tr>
              <td>
                <span class="dot free" aria-hidden="true" /> {say('head.free')}
              </td>
              <td class="number">{grouped(free)}</td>
              <td class="number">{percentOf(free, whole)} %</td>
              <td />
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

const partName = (part: string) => say(`part.${part as Heavy['part']}`);

/** A piece by what it is; tool and file are names from the session, shown as they are. */
export function itemName({
  part,
  tool,
  target,
}: {
  part: Heavy['part'] | 'before-messages';
  tool?: string | undefined;
  target?: string | undefined;
}): string {
  return [say(`part.${part}`), tool, target].filter((text) => text !== undefined && text !== '').join(' ');
}

const kinds: Readonly<Partial<Record<Heavy['part'], Share['kind']>>> = {
  system: 'system',
  tools: 'tools',
  memory: 'memory',
  result: 'results',
};

function HeaviestTable({ heaviest }: { heaviest: readonly Heavy[] }) {
  if (heaviest.length === 0) return null;
  const most = Math.max(1, ...heaviest.map(({ tokens }) => tokens));
  return (
    <div class="scrolls" role="region" aria-label={say('head.heaviest')} tabIndex={0}>
      <table class="heaviest">
        <thead>
          <tr>
            <th>{say('head.heaviest')}</th>
            <th class="number">{say('col.tokens')}</th>
            <th class="number">{say('col.times')}</th>
          </tr>
        </thead>
        <tbody>
          {heaviest.map((item, index) => (
            <tr key={index}>
              <td class="name">
                {itemName(item)}
                <span
                  class={`weight c${colours[kinds[item.part] ?? 'messages']}`}
                  aria-hidden="true"
                  style={{ width: `${(item.tokens / most) * 100}%` }}
                />
              </td>
              <td class="number">{grouped(item.tokens)}</td>
              <td class="number">{item.times}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function CostTable({ inspection: { costs } }: { inspection: Inspection }) {
  if (costs.length === 0) return null;
  return (
    <section aria-labelledby="cost">
      <h3 id="cost">{say('head.cost')}</h3>
      <div class="scrolls" role="region" aria-labelledby="cost" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>{say('col.model')}</th>
              <th class="number">{say('col.requests')}</th>
              <th class="number">{say('col.input')}</th>
              <th class="number">{say('col.cached')}</th>
              <th class="number">{say('col.output')}</th>
              <th class="number">{say('col.cost')}</th>
            </tr>
          </thead>
          <tbody>
            {costs.map(({ model, requests, inputTokens, cachedInputTokens, outputTokens, dollars }) => (
              <tr key={model}>
                <td class="name">{model}</td>
                <td class="number">{grouped(requests)}</td>
                <td class="number">{grouped(inputTokens)}</td>
                <td class="number">{grouped(cachedInputTokens)}</td>
                <td class="number">{grouped(outputTokens)}</td>
                <td class="number">{dollars === undefined ? '?' : dollarsOf(dollars)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

export function Notes({ inspection }: { inspection: Inspection }) {
  const { exact, meter, scaled, parts, unsentTokens, lines } = inspection;
  const isMissing = parts.some(({ kind, tokens }) => kind === 'not-in-file' && tokens > 0);
  const notes = [
    ...(isMissing ? [say('note.not-in-file')] : []),
    ...(exact ? [] : [say(scaled === undefined ? 'note.estimate' : 'note.scaled', { meter })]),
    ...(unsentTokens === undefined ? [] : [say('note.unsent', { n: grouped(unsentTokens) })]),
    ...(lines.unknown === 0 ? [] : [say('note.unknown', { n: lines.unknown })]),
    ...(lines.unreadable === 0 ? [] : [say('note.unreadable', { n: lines.unreadable })]),
  ];
  return (
    <>
      {notes.map((note) => (
        <p class="quiet" key={note}>
          {note}
        </p>
      ))}
    </>
  );
}
