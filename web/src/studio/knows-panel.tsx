// What a model would be sent at the cursor: layers, their pieces with reasons, what was kept back, and what it costs, before
// anything is sent.
import { useSignal, useSignalEffect } from '@preact/signals';
import type { AnswerOf } from '../../../src/operations/table.js';
import { isPresent } from '../inspector/sheet.js';
import { CallRefused, call } from '../shell/call.js';
import { linkTo } from '../shell/router.js';
import { Trouble } from '../shell/trouble.js';
import { warningText } from '../shell/words/facts.js';
import { grouped, word } from '../shell/words/word.js';
import { asked, cards, chapters, current, revision, selected, toCodePoints } from './book.js';
import { Fold } from './fold.js';
import { handled, letGo } from './handled.js';
import { KnownPiece } from './known-piece.js';
import { type PieceLine, wordsOfPieces } from './pieces.js';
import { languageOf } from './prompt-language.js';
import { chosenSkill, SkillChoice } from './skill-choice.js';
import { say } from './words.js';

type Set = AnswerOf<'context:inspect'>;
/** What was set, and the address of the same in the inspector. */
interface Looked {
  readonly set: Set;
  readonly place: Readonly<Record<string, string>>;
}

const layerNames = ['rules', 'people', 'settings', 'retrieved', 'immediate'] as const;
/** Between the last move of the cursor and the look. */
const restMs = 600;

export function KnowsPanel() {
  const looked = useSignal<Looked | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const again = useSignal(0);
  const chapter = current.value;
  // Not while drawing: a key must not draw this panel anew.
  useSignalEffect(() => {
    const chapter = current.value;
    const { from, to } = selected.value;
    const skillId = chosenSkill.value;
    const handling = handled.value;
    // Looked at again when a draft was taken in.
    void revision.value;
    void again.value;
    if (chapter === undefined) return;
    const leaving = new AbortController();
    const timer = setTimeout(async () => {
      const text = chapter.editor.text().toWellFormed();
      const [start, end] = [toCodePoints(text, from), toCodePoints(text, to)];
      const request = {
        ...{ ...asked(), documentId: chapter.documentId, skillId, text, cursorPosition: end },
        ...(start < end ? { selection: { start, end } } : {}),
        ...{ format: 'chapters', language: languageOf(text), ...handling },
      };
      try {
        const set = await call('context:inspect', request, { signal: leaving.signal });
        const place = { document: chapter.documentId, skill: skillId, cursor: String(end) };
        looked.value = { set, place };
        failure.value = undefined;
      } catch (error) {
        if (leaving.signal.aborted) return;
        failure.value = error;
        // A server that is started again is asked again.
        if (error instanceof CallRefused && error.refusal.code === 'OFFLINE')
          setTimeout(() => {
            again.value += 1;
          }, 2000);
      }
    }, restMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  });
  return (
    <section aria-labelledby="knows">
      <h2 id="knows">{say('knows.title')}</h2>
      <SkillChoice />
      {failure.value === undefined ? null : <Trouble error={failure.value} />}
      {chapter === undefined ? (
        <p class="quiet">{say('chapter.pick')}</p>
      ) : looked.value === undefined ? (
        <p role="status">{word('loading')}</p>
      ) : (
        <Known {...looked.value} />
      )}
    </section>
  );
}

function Known({ set, place }: Looked) {
  const { tokenCount, budget, mostDollars, receipt } = set;
  const words = wordsOfPieces(set);
  // What pieces give way for: a skill aims at less than there is room for.
  const total = receipt.budget.n;
  const part = Math.min(100, (100 * tokenCount) / Math.max(1, total));
  return (
    <>
      <p>
        {say('knows.budget', { used: grouped(tokenCount), total: grouped(total) })}
        {total < budget.total && handled.value.budget === undefined
          ? ` (${say('knows.aims', { room: grouped(budget.total) })})`
          : ''}{' '}
        ·{' '}
        {mostDollars === undefined
          ? say('knows.cost.unknown')
          : say('knows.cost', { dollars: mostDollars.toFixed(mostDollars < 0.1 ? 4 : 2) })}{' '}
        · <a href={linkTo('sent', place)}>{say('knows.turn')}</a>
      </p>
      <div class="meter" aria-hidden="true">
        <div style={{ width: `${part}%` }} />
      </div>
      <KeptBack />
      <HandledLine />
      {layerNames.map((layer) => (
        <Layer
          key={layer}
          layer={layer}
          lines={receipt.ledger.filter((line) => line.layer === layer)}
          words={words}
          text={layer === 'people' ? '' : set.layers[layer].text}
        />
      ))}
      {receipt.warnings.map((warning) => (
        <p key={warning.code + warning.message} class="quiet">
          {warningText(warning)} <code>{warning.code}</code>
        </p>
      ))}
    </>
  );
}

/** What the writer turned by hand, and the way back. */
function HandledLine() {
  const { pin, without, levels, budget } = handled.value;
  const levelled = Object.keys(levels).length;
  if (pin.length + without.length + levelled === 0 && budget === undefined) return null;
  return (
    <p>
      {say('knows.handled', { pinned: pin.length, dropped: without.length })}{' '}
      {levelled === 0 ? '' : `${say('knows.handled.levels', { n: levelled })} `}
      {budget === undefined ? '' : `${say('knows.handled.budget', { n: grouped(budget.tokens) })} `}
      <button type="button" onClick={letGo}>
        {say('knows.handled.reset')}
      </button>
    </p>
  );
}

/** What the story hides from the model in this chapter. */
function KeptBack() {
  const order = chapters.value?.find((each) => each.documentId === current.value?.documentId)?.order ?? 0;
  const later = chapters.value?.filter((each) => each.order > order).length ?? 0;
  const hidden = cards.value.flatMap(({ name, secrets }) =>
    secrets.filter(({ hiddenUntil }) => hiddenUntil > order).map(() => name),
  );
  return (
    <p class="quiet">
      {say('knows.kept-back', { later, secrets: hidden.length })}{' '}
      {[...new Set(hidden)].map((name) => (
        <span key={name} class="tag secret">
          {name}
        </span>
      ))}
    </p>
  );
}

type LayerName = (typeof layerNames)[number];
interface LayerProps {
  layer: LayerName;
  lines: readonly PieceLine[];
  words: ReadonlyMap<string, string>;
  text: string;
}

function Layer({ layer, lines, words, text }: LayerProps) {
  if (lines.length === 0 && layer === 'people') return null;
  const tokens = lines.reduce((sum, { verdict, amount = 0 }) => sum + (isPresent(verdict) ? amount : 0), 0);
  const pieces = lines.filter(isPiece);
  return (
    <details class="layer" open={layer !== 'immediate'}>
      <summary>
        {say(`knows.layer.${layer}`)}{' '}
        <span class="quiet">{say('knows.tokens', { count: grouped(tokens) })}</span>
      </summary>
      {lines.length === 0 ? <p class="quiet">{say('knows.none')}</p> : null}
      <ul class="plain">
        {pieces.map((line) => (
          <KnownPiece key={line.fragment} line={line} words={words.get(line.fragment) ?? ''} />
        ))}
      </ul>
      {text === '' ? null : (
        <Fold summary={<span class="quiet">{say('knows.text')}</span>}>
          {() => <p class="streamed excerpt">{text}</p>}
        </Fold>
      )}
    </details>
  );
}

/** Marks around other people's words, and the sentences of the chapter, say nothing one by one. */
const isPiece = ({ fragment, source }: PieceLine) => !fragment.startsWith('fence:') && source !== 'document';
