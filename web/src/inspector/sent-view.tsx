// What the model is sent: for a change under review, or for a place in a chapter.
import { useEffect, useState } from 'preact/hooks';
import type { AnswerOf } from '../../../src/operations/table.js';
import { changeOf } from '../review/change.js';
import { ChangeChoice } from '../review/change-choice.js';
import type { ReviewedChange } from '../review/desk.js';
import { firstChange } from '../review/first-change.js';
import { call } from '../shell/call.js';
import { go, linkTo, place } from '../shell/router.js';
import { project } from '../shell/start.js';
import { Trouble } from '../shell/trouble.js';
import { skillName } from '../shell/words/facts.js';
import { word } from '../shell/words/word.js';
import { changeSource } from './change-source.js';
import { CompareChange } from './compare-change.js';
import { chapterSource } from './sources.js';
import { PromptView } from './what-if.js';
import { say } from './words.js';
import './inspector.css';

export function SentView() {
  const { query } = place.value;
  const isWriting = query.has('document') || (!project.value.isRepository && project.value.isBook);
  return (
    <>
      <h1>{say('sent.title')}</h1>
      {isWriting ? <OfChapter /> : <OfChange />}
    </>
  );
}

/** Of the change that the address names, or of the one that a review would take. */
function OfChange() {
  const asked = changeOf(place.value.query);
  const key = JSON.stringify(asked ?? null);
  const [change, setChange] = useState<ReviewedChange>();
  const [error, setError] = useState<unknown>();
  const [reading, setReading] = useState(0);
  const read = () => {
    setError(undefined);
    setReading((before) => before + 1);
    if (asked !== undefined) return setChange(asked);
    firstChange(undefined).then(({ change: found }) => setChange(found), setError);
  };
  useEffect(read, [key]);
  return (
    <>
      <ChangeChoice view="sent" change={asked ?? change} again={read} />
      {error === undefined ? null : <Trouble error={error} />}
      {change === undefined ? null : (
        <>
          <CompareChange change={change} />
          <PromptView key={reading} source={changeSource(change)} />
        </>
      )}
    </>
  );
}

interface Choices {
  readonly documents: readonly { readonly documentId: string; readonly title: string }[];
  readonly skills: AnswerOf<'skills:list'>['skills'];
  readonly most: number;
}

function OfChapter() {
  const { query } = place.value;
  const { projectId } = project.value;
  const [choices, setChoices] = useState<Choices>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    Promise.all([
      call('documents:list', { projectId }),
      call('skills:list', { projectId }),
      call('context:budget:get', { projectId }),
    ]).then(
      ([{ documents }, { skills }, { window, outputReserve }]) =>
        setChoices({ documents, skills, most: Math.max(window - outputReserve, 1000) }),
      setError,
    );
  }, [projectId]);
  if (choices === undefined)
    return error === undefined ? <p role="status">{word('loading')}</p> : <Trouble error={error} />;
  const document = query.get('document') ?? choices.documents[0]?.documentId;
  const skill =
    query.get('skill') ??
    (choices.skills.some(({ id }) => id === 'continue') ? 'continue' : choices.skills[0]?.id);
  const cursor = Number(query.get('cursor') ?? 0);
  if (document === undefined || skill === undefined)
    return (
      <p>
        {say('sent.begin')} <a href={linkTo('write')}>{word('nav.write')}</a>
      </p>
    );
  const choose = (change: Record<string, string>) =>
    go('sent', { replace: true, query: { document, skill, cursor: String(cursor), ...change } });
  const source = chapterSource(
    { documentId: document, cursorPosition: cursor, skillId: skill },
    choices.most,
  );
  return (
    <>
      <div class="row">
        <label class="row">
          {say('sent.chapter')}
          <select
            value={document}
            onChange={(event) => choose({ document: event.currentTarget.value, cursor: '0' })}
          >
            {choices.documents.map(({ documentId: id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label class="row">
          {say('sent.skill')}
          <select value={skill} onChange={(event) => choose({ skill: event.currentTarget.value })}>
            {choices.skills.map((each) => (
              <option key={each.id} value={each.id}>
                {skillName(each)}
              </option>
            ))}
          </select>
        </label>
        <label class="row">
          {say('sent.cursor')}
          <input
            type="number"
            min={0}
            value={cursor}
            onChange={(event) => choose({ cursor: event.currentTarget.value })}
          />
        </label>
      </div>
      <PromptView source={source} />
    </>
  );
}
