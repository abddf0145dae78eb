// The lines of a file's change with their numbers on both sides, and findings below the lines they are about.
import { useSignal } from '@preact/signals';
import { grouped } from '../shell/words/word.js';
import type { FileDiff } from './desk.js';
import { type DiffLine, type FileRow, isAtLine, numbered } from './file-rows.js';
import { FindingCard } from './finding-card.js';
import type { Review } from './review-state.js';
import { showHidden } from './shown-text.js';
import { say } from './words.js';

const firstLines = 400;
const lineStep = 1000;

export function FileDiffTable({ diff, row, review }: { diff: FileDiff; row: FileRow; review: Review }) {
  const most = useSignal(firstLines);
  if (diff.binary) return <p class="quiet">{say('binary')}</p>;
  const anchored = row.findings.filter(({ place }) => place.kind === 'anchored');
  let room = most.value;
  let hidden = diff.left;
  const hunks = diff.hunks.flatMap((hunk) => {
    const lines = numbered(hunk);
    const shown = lines.slice(0, Math.max(0, room));
    room -= lines.length;
    hidden += lines.length - shown.length;
    return shown.length === 0 ? [] : [{ hunk, shown }];
  });
  const more = () => {
    const given = diff.hunks.reduce((sum, { lines }) => sum + lines.length, 0);
    most.value += lineStep;
    if (diff.left > 0 && most.value > given)
      void review.readMore(row.path, { fileLines: most.value + lineStep });
  };
  const seen = hunks.flatMap(({ shown }) => shown);
  const placed = new Set(
    anchored.filter((each) => seen.some((line) => isAtLine(each, line))).map(({ finding }) => finding.id),
  );
  return (
    <>
      {anchored
        .filter(({ finding }) => !placed.has(finding.id))
        .map((each) => (
          <FindingCard key={each.finding.id} reported={each} review={review} />
        ))}
      <table class="lines">
        <caption class="said">{showHidden(row.path)}</caption>
        <colgroup>
          <col class="no" />
          <col class="no" />
          <col />
        </colgroup>
        {hunks.map(({ hunk, shown }) => (
          <tbody key={`${hunk.oldStart}:${hunk.newStart}`}>
            <tr class="hunk">
              <td colSpan={3}>
                @@ −{hunk.oldStart},{hunk.oldLines} +{hunk.newStart},{hunk.newLines} @@{' '}
                {showHidden(hunk.heading)}
              </td>
            </tr>
            {shown.map((line) => (
              <Line
                key={`${line.old ?? ''}:${line.new ?? ''}`}
                {...{ line, review }}
                path={row.path}
                findings={anchored.filter((each) => isAtLine(each, line))}
              />
            ))}
          </tbody>
        ))}
      </table>
      {hidden === 0 ? null : (
        <button
          type="button"
          onClick={more}
          disabled={hidden === diff.left && review.desk.acts === undefined}
        >
          {say('lines.more', { step: grouped(Math.min(lineStep, hidden)), n: grouped(hidden) })}
        </button>
      )}
    </>
  );
}

interface LineProps {
  readonly line: DiffLine;
  readonly path: string;
  readonly review: Review;
  readonly findings: FileRow['findings'];
}

const kinds = { '+': 'added', '-': 'removed', ' ': 'same' } as const;

function Line({ line, path, review, findings }: LineProps) {
  return (
    <>
      <tr class={kinds[line.sign]}>
        <td class="no">{line.old}</td>
        <td class="no">{line.new}</td>
        <td class="code">
          <span class="sign">{line.sign}</span>
          {showHidden(line.text)}
          {line.cut === 0 ? null : <Cut line={line} path={path} review={review} />}
          {line.noNewline ? <span class="quiet"> ⏎̸ {say('noNewline')}</span> : null}
        </td>
      </tr>
      {findings.map((each) => (
        <tr key={each.finding.id} class="remark">
          <td colSpan={3}>
            <FindingCard reported={each} review={review} />
          </td>
        </tr>
      ))}
    </>
  );
}

const growth = 10;

/** A line of a megabyte is asked for in steps; each is ten times the one before. */
function Cut({ line, path, review }: Pick<LineProps, 'line' | 'path' | 'review'>) {
  if (review.desk.acts === undefined)
    return <span class="quiet"> {say('cut.rest', { n: grouped(line.cut) })}</span>;
  const next = line.text.length * growth;
  const step = Math.min(line.cut, next - line.text.length);
  return (
    <button type="button" class="cut" onClick={() => void review.readMore(path, { lineChars: next })}>
      {say('cut.more', { n: grouped(line.cut), step: grouped(step) })}
    </button>
  );
}
