// Everything about one change, in the order a person needs it: what hides, what is covered, what was found, then file by file.
import { useComputed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Trouble } from '../shell/trouble.js';
import { warningText } from '../shell/words/facts.js';
import { CoveragePicture } from './coverage-picture.js';
import { ExportPanel } from './export-panel.js';
import { FileIndex } from './file-index.js';
import { fileRows, isLeftOut } from './file-rows.js';
import { FileSection } from './file-section.js';
import { FindingSteps } from './finding-steps.js';
import { PageList } from './page-list.js';
import { foundSoFar, lookForOtherFiles, type Review } from './review-state.js';
import { RunPanel } from './run-panel.js';
import { showHidden } from './shown-text.js';
import { say } from './words.js';

const hidingCode = 'CHANGE_HIDES_ITSELF';

export function ReviewBoard({ review }: { review: Review }) {
  const { changes, sheet, plan, run, failures } = review;
  const rows = useComputed(() =>
    fileRows({ changes, sheet: sheet.value, plan: plan.value, findings: foundSoFar(review) }),
  );
  const warnings = [...(sheet.value?.warnings ?? changes.warnings), ...(run.value?.warnings ?? [])];
  if (changes.entries.length === 0) return <p>{say('empty')}</p>;
  return (
    <>
      <Warnings warnings={warnings.filter(({ code }) => code === hidingCode)} title={say('hidden.title')} />
      <OtherFiles review={review} />
      {failures.value.sheet === undefined ? null : <Trouble error={failures.value.sheet} />}
      <div class="panels">
        <CoveragePicture review={review} />
        <RunPanel review={review} />
        {run.value === undefined ? null : <ExportPanel review={review} />}
      </div>
      <Warnings
        warnings={unique(warnings.filter(({ code }) => code !== hidingCode))}
        title={say('warnings.title')}
      />
      {failures.value.diff === undefined ? null : <Trouble error={failures.value.diff} />}
      <PageList review={review} />
      <FindingSteps review={review} rows={rows.value} />
      <FileIndex rows={rows.value} isRanked={sheet.value !== undefined} review={review} />
      <div class="files">
        {rows.value.map((row) => (
          <FileSection key={row.path} row={row} review={review} isOpen={!isLeftOut(row)} />
        ))}
      </div>
    </>
  );
}

const leastBetweenMs = 5000;

/** Whoever comes back to the page may have changed the files meanwhile. */
function OtherFiles({ review }: { review: Review }) {
  const { stale, desk } = review;
  useEffect(() => {
    if (desk.acts === undefined) return;
    let last = 0;
    const look = () => {
      if (document.visibilityState !== 'visible' || Date.now() - last < leastBetweenMs) return;
      last = Date.now();
      void lookForOtherFiles(review);
    };
    window.addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [review]);
  if (stale.value.length === 0) return null;
  return (
    <section class="warned" role="status">
      <p>
        {say('stale', { n: stale.value.length })}{' '}
        {stale.value.slice(0, 5).map((path) => (
          <code key={path}>{showHidden(path)} </code>
        ))}
      </p>
    </section>
  );
}

interface ShownWarning {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

const unique = <Each extends ShownWarning>(warnings: readonly Each[]): Each[] => [
  ...new Map(warnings.map((warning) => [`${warning.code}\n${warning.message}`, warning])).values(),
];

function Warnings({ warnings, title }: { warnings: readonly ShownWarning[]; title: string }) {
  if (warnings.length === 0) return null;
  return (
    <section class="warned" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {unique(warnings).map((warning) => (
          <li key={warning.code + warning.message}>
            {showHidden(warningText(warning))} <code>{warning.code}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}
