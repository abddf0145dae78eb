// Turn the budget and see the prompt set anew: what comes, what goes, what it does to the cache.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Trouble } from '../shell/trouble.js';
import { grouped, word } from '../shell/words/word.js';
import { DifferenceOf } from './difference.js';
import { type Early, EarlyPicture, isNothing } from './early-picture.js';
import { Inspector } from './inspector.js';
import { Proposed } from './proposal.js';
import type { Sheet } from './sheet.js';
import type { Knobs, PromptSource, Proposal } from './sources.js';
import { say } from './words.js';

const least = 200;
/** Steps of the slider; it turns by ratios, since half of a budget matters and one token does not. */
const steps = 1000;

export function PromptView({ source }: { source: PromptSource }) {
  const [base, setBase] = useState<Sheet>();
  const [turned, setTurned] = useState<Sheet>();
  const [knobs, setKnobs] = useState<Knobs>({});
  const [error, setError] = useState<unknown>();
  const [proposal, setProposal] = useState<Proposal>();
  const [early, setEarly] = useState<Early>();
  const asked = useRef<AbortController>(undefined);
  const ask = async (wanted: Knobs, isBase: boolean) => {
    asked.current?.abort();
    const controller = new AbortController();
    asked.current = controller;
    try {
      if (isBase && source.early !== undefined) {
        const known = await source.early(controller.signal);
        if (controller.signal.aborted) return;
        setEarly(known);
        // A prompt about nothing is sent to nobody.
        if (isNothing(known)) return;
      }
      const sheet = await source.load(wanted, controller.signal);
      if (controller.signal.aborted) return;
      setError(undefined);
      if (isBase) setBase(sheet);
      setTurned(isBase ? undefined : sheet);
    } catch (thrown) {
      if (controller.signal.aborted) return;
      setError(thrown);
    }
  };
  useEffect(() => {
    setBase(undefined);
    setEarly(undefined);
    setKnobs({});
    void ask({}, true);
    return () => asked.current?.abort();
  }, [source.key]);
  const turn = (change: Knobs) => {
    const wanted = { ...knobs, ...change };
    setKnobs(wanted);
    setProposal(undefined);
    void ask(wanted, false);
  };
  if (base === undefined) {
    if (error !== undefined) return <Trouble error={error} />;
    return early === undefined ? <p role="status">{word('loading')}</p> : <EarlyPicture early={early} />;
  }
  const budget = knobs.budget ?? Math.min(base.receipt.budget.n, source.most);
  const { pin = [], without = [], levels = {} } = knobs;
  const isTurned = Object.values(knobs).some((value) =>
    typeof value === 'object' ? Object.keys(value).length > 0 : value !== undefined,
  );
  const handling = { pin, without, levels, takes: source.takes, levelled: source.levelled, set: turn };
  return (
    <>
      <section class="what-if" aria-label={say('what.title')}>
        <h2>{say('what.title')}</h2>
        <div class="row">
          <label class="row">
            {say('what.budget')}
            <input
              type="range"
              min={0}
              max={steps}
              data-most={source.most}
              value={stepOf(budget, source.most)}
              aria-valuetext={`${grouped(budget)} ${say('tokens')}`}
              onInput={(event) => turn({ budget: budgetAt(Number(event.currentTarget.value), source.most) })}
            />
          </label>
          <input
            type="number"
            aria-label={say('what.budget')}
            min={1}
            value={budget}
            onChange={(event) => turn({ budget: Math.max(Number(event.currentTarget.value) || least, 1) })}
          />
          {source.meters.length === 0 ? null : (
            <label class="row">
              {say('what.meter')}
              <select
                value={knobs.meter ?? base.receipt.meter.id}
                onChange={(event) => turn({ meter: event.currentTarget.value })}
              >
                {[...new Set([base.receipt.meter.id, ...source.meters])].map((meter) => (
                  <option key={meter}>{meter}</option>
                ))}
              </select>
            </label>
          )}
          {source.contexts.length === 0 ? null : (
            <label class="row">
              {say('what.beside')}
              <select
                value={knobs.context ?? ''}
                onChange={(event) => turn({ context: event.currentTarget.value || undefined })}
              >
                <option value="">{say('what.beside.usual')}</option>
                {source.contexts.map((context) => (
                  <option key={context} value={context}>
                    {say(`what.beside.${context}`)}
                  </option>
                ))}
              </select>
            </label>
          )}
          {source.takesModel ? (
            <label class="row">
              {say('what.model')}
              <input
                size={16}
                spellcheck={false}
                value={knobs.model ?? ''}
                placeholder={say('what.model.usual')}
                onChange={(event) => turn({ model: event.currentTarget.value.trim() || undefined })}
              />
            </label>
          ) : null}
          <button
            type="button"
            disabled={!isTurned}
            onClick={() => void source.use(knobs).then(setProposal, setError)}
          >
            {say('what.use')}
          </button>
          <button
            type="button"
            disabled={!isTurned}
            onClick={() => {
              asked.current?.abort();
              setKnobs({});
              setTurned(undefined);
              setError(undefined);
              setProposal(undefined);
            }}
          >
            {say('what.reset')}
          </button>
        </div>
        {proposal === undefined ? null : <Proposed {...{ proposal, setProposal, setError }} />}
        {error === undefined ? null : <Trouble error={error} />}
        {turned === undefined ? null : <DifferenceOf before={base} after={turned} />}
      </section>
      <Inspector sheet={turned ?? base} handling={handling} />
    </>
  );
}

const stepOf = (budget: number, most: number) =>
  Math.round((Math.log(Math.max(budget, least) / least) / Math.log(most / least)) * steps);

const budgetAt = (step: number, most: number) => Math.round(least * (most / least) ** (step / steps));
