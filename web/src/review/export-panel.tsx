// The report for elsewhere: as a file in any format, and on the pull request where one is known.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Trouble } from '../shell/trouble.js';
import type { Posted, PullStatus, ReportFormat } from './desk.js';
import { decidedReport } from './report-json.js';
import type { Review } from './review-state.js';
import { say } from './words.js';

const formats: Readonly<Record<ReportFormat, { readonly label: string; readonly name: string }>> = {
  markdown: { label: 'Markdown', name: 'review.md' },
  json: { label: 'JSON', name: 'review.json' },
  sarif: { label: 'SARIF', name: 'review.sarif' },
  rdjson: { label: 'rdjson', name: 'review.rdjson' },
  rdjsonl: { label: 'rdjsonl', name: 'review.rdjsonl' },
  gitlab: { label: 'GitLab', name: 'gl-code-quality-report.json' },
  github: { label: 'GitHub', name: 'annotations.txt' },
};

export function ExportPanel({ review }: { review: Review }) {
  const { desk, change, run, decisions } = review;
  const format = useSignal<ReportFormat>('markdown');
  const failure = useSignal<unknown>(undefined);
  const json = () => decidedReport(run.value?.report ?? '', decisions.value);
  const save = async () => {
    try {
      failure.value = undefined;
      const chosen = format.value;
      download(await desk.report(change, chosen, json()), formats[chosen].name);
    } catch (error) {
      failure.value = error;
    }
  };
  return (
    <section class="panel" aria-label={say('export')}>
      <h2>{say('export')}</h2>
      <div class="row">
        <label>
          {say('export.format')}{' '}
          <select
            value={format.value}
            onChange={(event) => {
              format.value = event.currentTarget.value as ReportFormat;
            }}
          >
            {Object.entries(formats).map(([name, { label }]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={() => void save()}>
          {say('export.save')}
        </button>
      </div>
      <PostButton review={review} json={json} />
      {failure.value === undefined ? null : <Trouble error={failure.value} />}
    </section>
  );
}

/** Only where a pull request answers; what will be posted is said before it is. */
function PostButton({ review: { desk, changes }, json }: { review: Review; json(): string }) {
  const pull = useSignal<PullStatus | undefined>(undefined);
  const planned = useSignal<Posted | undefined>(undefined);
  const done = useSignal<Posted | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const { acts } = desk;
  useEffect(() => {
    void acts?.pull().then(
      (found) => {
        pull.value = found;
      },
      () => undefined,
    );
  }, [acts]);
  if (acts === undefined || pull.value === undefined) return null;
  const { number, head } = pull.value;
  const post = async (dryRun: boolean) => {
    try {
      failure.value = undefined;
      const answer = await acts.post(json(), dryRun);
      if (dryRun) planned.value = answer;
      else done.value = answer;
    } catch (error) {
      failure.value = error;
    }
  };
  const isThisHead = changes.mode === 'pr' && changes.head === head;
  const { lines = 0, summary = 'none' } = planned.value ?? {};
  return (
    <div class="row">
      {done.value !== undefined ? (
        <p role="status">
          {done.value.posted ? say('post.done', { lines: done.value.lines }) : say('posted')}
        </p>
      ) : !isThisHead ? (
        <p class="quiet">
          #{number}: {say('post.other')}
        </p>
      ) : planned.value === undefined ? (
        <button type="button" onClick={() => void post(true)}>
          {say('post', { number })}
        </button>
      ) : (
        <button type="button" class="primary" onClick={() => void post(false)}>
          {say('post.really', { lines, summary: say(`post.summary.${summary}`) })}
        </button>
      )}
      {failure.value === undefined ? null : <Trouble error={failure.value} />}
    </div>
  );
}

function download(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
