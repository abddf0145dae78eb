// What "use this" would do and what it did: in words, as a difference of the file, with the steps one can take next.
import type { Proposal } from './sources.js';

interface Props {
  readonly proposal: Proposal;
  setProposal(proposal: Proposal | undefined): void;
  setError(error: unknown): void;
}

export function Proposed({ proposal: { told, difference = [], steps = [] }, setProposal, setError }: Props) {
  return (
    <div class="proposal">
      <p role="status">{told}</p>
      {difference.length === 0 ? null : (
        <pre tabIndex={0}>
          {difference.map((line, at) => (
            <span key={at} class={line.startsWith('-') ? 'minus' : 'plus'}>
              {`${line}\n`}
            </span>
          ))}
        </pre>
      )}
      <div class="row">
        {steps.map(({ label, act }) => (
          <button type="button" key={label} onClick={() => void act().then(setProposal, setError)}>
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
