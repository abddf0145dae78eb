// One file: what is known of it, and its diff while it is in sight. A diff out of sight is not drawn; its height stays.
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { grouped, word } from '../shell/words/word.js';
import { FileDiffTable } from './file-diff.js';
import type { FileRow } from './file-rows.js';
import { FindingCard } from './finding-card.js';
import type { Review } from './review-state.js';
import { showHidden } from './shown-text.js';
import { reasonWords, say, whyWords } from './words.js';

const nearby = '1200px 0px';
const lineHeight = 20;

export function FileSection({ row, review, isOpen }: { row: FileRow; review: Review; isOpen: boolean }) {
  const { path, entry } = row;
  const opened = useSignal(isOpen);
  const isNear = useSignal(false);
  const body = useRef<HTMLDivElement>(null);
  const height = useRef(
    Math.min(6000, (entry.added + entry.removed + 6 * entry.hunks.length + 2) * lineHeight),
  );
  const isWanted = useComputed(() => review.wanted.value.has(path));
  useEffect(() => {
    if (isWanted.value) opened.value = true;
  }, [isWanted.value]);
  useEffect(() => {
    const place = body.current;
    if (place === null || !opened.value) return;
    const watch = new IntersectionObserver(
      ([seen]) => {
        if (seen === undefined) return;
        if (!seen.isIntersecting && isNear.value) height.current = seen.boundingClientRect.height;
        isNear.value = seen.isIntersecting;
      },
      { rootMargin: nearby },
    );
    watch.observe(place);
    return () => watch.disconnect();
  }, [opened.value]);
  const isDrawn = opened.value && (isNear.value || isWanted.value);
  useEffect(() => {
    if (isDrawn) review.wantDiff(path);
  }, [isDrawn]);
  const diff = review.diffs.value[path];
  return (
    <section class="file" id={fileAnchor(path)} tabIndex={-1} aria-label={showHidden(path)}>
      <header>
        <h3 class="mono">
          <button
            type="button"
            class="link"
            aria-expanded={opened.value}
            aria-label={say(opened.value ? 'hide' : 'show', { path: showHidden(path) })}
            onClick={() => {
              opened.value = !opened.value;
            }}
          >
            <span aria-hidden="true">{opened.value ? '▾' : '▸'}</span> {showHidden(path)}
          </button>
        </h3>
        <FileFacts row={row} />
      </header>
      {!opened.value ? null : (
        <div ref={body} class="diff" style={isDrawn ? {} : { height: `${height.current}px` }}>
          {!isDrawn ? null : diff === undefined ? (
            <p class="quiet">{word('loading')}</p>
          ) : (
            <>
              <Elsewhere row={row} review={review} />
              <FileDiffTable diff={diff} row={row} review={review} />
            </>
          )}
        </div>
      )}
    </section>
  );
}

function FileFacts({ row: { entry, risk, pages, omission, units } }: { row: FileRow }) {
  const beside = (['callers', 'tests', 'places'] as const).flatMap((kind) =>
    risk === undefined || risk[kind] === 0 ? [] : [say(`beside.${kind}`, { n: risk[kind] })],
  );
  return (
    <div class="facts">
      <span class="tag">{say(`status.${entry.status}`)}</span>{' '}
      {entry.oldPath === undefined ? null : <code>← {showHidden(entry.oldPath)}</code>}{' '}
      <span class="mono">
        <span class="plus">+{grouped(entry.added)}</span> <span class="minus">−{grouped(entry.removed)}</span>
      </span>{' '}
      {omission === undefined ? null : (
        <span>
          <span class="tag warned-tag">{say(omission.partial ? 'partial' : 'left')}</span>{' '}
          {reasonWords(omission)} (+
          {grouped(omission.added)} −{grouped(omission.removed)}){' '}
        </span>
      )}
      {pages.length === 0 || risk === undefined ? null : (
        <span>
          <span class={`tag risk-${risk.risk}`}>
            {say('risk')}: {say(`risk.${risk.risk}`)}
          </span>{' '}
          {risk.why === undefined ? '' : `${whyWords(risk.why)} · `}
          {pages.map((n) => say('page.one', { n })).join(', ')} · {say('beside')}:{' '}
          {[...(risk.level === 'diff_only' ? [] : [say(`level.${risk.level}`)]), ...beside].join(', ') ||
            say('beside.none')}
        </span>
      )}
      {units.length === 0 ? null : (
        <details>
          <summary>
            {say('plan')} ({units.length})
          </summary>
          <ul>
            {units.map(({ lines, tags, row }) => (
              <li key={row.unit_id}>
                {say('plan.row', {
                  lines,
                  level: say(`level.${row.final_context_level}`),
                  by: say(`by.${row.decided_by}`),
                })}{' '}
                {tags.map((tag) => (
                  <code key={tag}>{tag} </code>
                ))}
                {row.llm_reason === undefined ? null : showHidden(row.llm_reason)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** Findings that no line of the diff carries. */
function Elsewhere({ row, review }: { row: FileRow; review: Review }) {
  const others = row.findings.filter(({ place }) => place.kind === 'summary');
  if (others.length === 0) return null;
  return (
    <div>
      <p class="quiet">{say('findings.elsewhere')}</p>
      {others.map((each) => (
        <FindingCard key={each.finding.id} reported={each} review={review} />
      ))}
    </div>
  );
}

/** Names of files are not fit for an id; their places in the address book of the page are. */
const anchors = new Map<string, string>();

function fileAnchor(path: string): string {
  const known = anchors.get(path) ?? `file-${anchors.size + 1}`;
  anchors.set(path, known);
  return known;
}

const mostTries = 100;
let shows = 0;

/** Draws the file, wherever it is, and goes there; to the part of it, once that is drawn. */
export function showFile(review: Review, path: string, part?: string): void {
  review.wanted.value = new Set([path]);
  const section = document.getElementById(fileAnchor(path));
  section?.scrollIntoView({ block: 'start' });
  section?.focus({ preventScroll: true });
  shows += 1;
  const nth = shows;
  if (part === undefined) return;
  const seek = (tries: number) => {
    // Who went on meanwhile, to another finding or elsewhere, is not called back.
    const isElsewhere = document.activeElement !== section && document.activeElement !== document.body;
    if (nth !== shows || isElsewhere) return;
    const target = document.getElementById(part);
    if (target !== null) {
      target.scrollIntoView({ block: 'center' });
      target.focus({ preventScroll: true });
    } else if (tries > 0) setTimeout(() => seek(tries - 1), 50);
  };
  seek(mostTries);
}
