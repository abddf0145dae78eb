// One finding: what is wrong, how sure the reviewer is, what it suggests, and what the reader makes of it.
import { Trouble } from '../shell/trouble.js';
import type { ReportedFinding } from './desk.js';
import { findingAnchor } from './finding-steps.js';
import { type Decision, decide, isTaken, type Review } from './review-state.js';
import { showHidden } from './shown-text.js';
import { say } from './words.js';

export function FindingCard({ reported, review }: { reported: ReportedFinding; review: Review }) {
  const { finding } = reported;
  const { id, severity, title, message, category, confidence, evidence, suggestion, remedy } = finding;
  const decision = review.decisions.value[id];
  const titled = `title-${id}`;
  return (
    <article
      id={findingAnchor(id)}
      class={`finding severity-${severity} ${decision ?? ''}`}
      tabIndex={-1}
      aria-labelledby={titled}
    >
      <h4 id={titled}>
        <span class={`tag severity-tag ${severity}`}>{say(`severity.${severity}`)}</span> {showHidden(title)}
      </h4>
      <p class="quiet">
        {showHidden(category)} · {say('sure', { n: Math.round(confidence * 100) })}
        {finding.startLine === 0
          ? ''
          : ` · ${finding.startLine}${finding.endLine === finding.startLine ? '' : `–${finding.endLine}`}`}
      </p>
      <p class="said-text">{showHidden(message)}</p>
      <Quoted label={say('evidence')} text={evidence} />
      <Quoted label={say('suggestion')} text={suggestion?.replacement} isNew />
      <Quoted label={say('remedy')} text={remedy} />
      <Deciding reported={reported} review={review} decision={decision} />
    </article>
  );
}

function Quoted({ label, text, isNew }: { label: string; text: string | undefined; isNew?: boolean }) {
  if (text === undefined || text === '') return null;
  return (
    <figure>
      <figcaption class="quiet">{label}</figcaption>
      <pre class={isNew ? 'added' : undefined}>{text.split('\n').map(showHidden).join('\n')}</pre>
    </figure>
  );
}

interface DecidingProps {
  readonly reported: ReportedFinding;
  readonly review: Review;
  readonly decision: Decision | undefined;
}

function Deciding({ reported, review, decision }: DecidingProps) {
  const { finding } = reported;
  if (review.desk.acts === undefined) return null;
  const failed = review.failures.value.finding as
    | { readonly id: string; readonly error: unknown }
    | undefined;
  const button = (to: Decision | undefined, label: string, isOff = false) => (
    <button type="button" disabled={isOff} onClick={() => void decide(review, reported, to)}>
      {label}
    </button>
  );
  return (
    <div class="row">
      {decision === undefined ? (
        <>
          {finding.suggestion === undefined
            ? null
            : button('applied', say('apply'), isTaken(review, finding))}
          {button('accepted', say('accept'))}
          {button('dismissed', say('dismiss'))}
        </>
      ) : (
        <>
          <span role="status">{say(decision)}</span>
          {button(undefined, say('undo'))}
        </>
      )}
      {failed?.id === finding.id ? <Trouble error={failed.error} /> : null}
    </div>
  );
}
