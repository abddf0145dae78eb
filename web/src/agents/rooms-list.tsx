// The rooms of this folder, and a new one.
import { useEffect, useState } from 'preact/hooks';
import { go, linkTo } from '../shell/router.js';
import { project } from '../shell/start.js';
import { Trouble } from '../shell/trouble.js';
import { grouped, word } from '../shell/words/word.js';
import { say } from './room-words.js';
import { lookForRooms, type NewAgent, openRoom, rooms } from './rooms.js';

export function RoomsList({ chosen }: { chosen: string | undefined }) {
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    lookForRooms().catch(setError);
  }, []);
  return (
    <>
      <h2>{say('rooms.title')}</h2>
      {error === undefined ? null : <Trouble error={error} />}
      {rooms.value === undefined ? (
        error === undefined ? (
          <p role="status">{word('loading')}</p>
        ) : null
      ) : rooms.value.length === 0 ? (
        <p class="quiet">{say('rooms.none')}</p>
      ) : (
        <ul class="plain entries">
          {rooms.value.map(({ room, messages, agents, closedAt, speaking }) => (
            <li key={room}>
              <a
                href={linkTo('agents/room', { name: room })}
                aria-current={room === chosen ? 'true' : undefined}
              >
                <span>
                  {room} {closedAt === undefined ? null : <span class="tag">{say('rooms.closed')}</span>}
                </span>
                <span class="quiet">
                  {say('rooms.count', { n: grouped(messages) })} · {agents.map(({ name }) => name).join(', ')}
                  {speaking === undefined ? '' : ` · ${say('rooms.speaking', { agent: speaking })}`}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <NewRoom />
    </>
  );
}

const agentTypes = ['claude-code', 'openai-codex', 'google-gemini', 'model'] as const;
const typeTitles = {
  'claude-code': 'Claude Code',
  'openai-codex': 'Codex',
  'google-gemini': 'Gemini CLI',
} as const;
const permissions = ['read', 'edit', 'run'] as const;
const firstAgent: NewAgent = { name: 'max', agentType: 'claude-code', permission: 'read' };

function NewRoom() {
  const [name, setName] = useState('');
  const [task, setTask] = useState('');
  const [agents, setAgents] = useState<readonly NewAgent[]>([firstAgent]);
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<unknown>();
  const change = (at: number, part: Partial<NewAgent>) =>
    setAgents(agents.map((agent, index) => (index === at ? { ...agent, ...part } : agent)));
  const open = async (event: Event) => {
    event.preventDefault();
    setError(undefined);
    try {
      await openRoom(name.trim(), task, agents);
      go('agents/room', { query: { name: name.trim() } });
      setName('');
      setTask('');
      setAgents([firstAgent]);
      setOpen(false);
    } catch (refusal) {
      setError(refusal);
    }
  };
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{say('new.title')}</summary>
      <form class="form" onSubmit={open}>
        <label>
          {say('new.name')}
          <input required value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
        </label>
        <label>
          {say('new.task')}
          <input value={task} onInput={({ currentTarget }) => setTask(currentTarget.value)} />
        </label>
        {agents.map((agent, at) => (
          <fieldset key={at}>
            <legend>{say('new.agent', { n: at + 1 })}</legend>
            <label>
              {say('new.who')}
              <input
                required
                value={agent.name}
                onInput={({ currentTarget }) => change(at, { name: currentTarget.value })}
              />
            </label>
            <label>
              {say('new.kind')}
              <select
                value={agent.agentType}
                onChange={({ currentTarget }) => change(at, { agentType: currentTarget.value })}
              >
                {agentTypes.map((type) => (
                  <option key={type} value={type}>
                    {type === 'model' ? say('new.model') : typeTitles[type]}
                  </option>
                ))}
              </select>
            </label>
            <label>
              {say('new.which')}
              <input
                value={agent.model ?? ''}
                placeholder={
                  agent.agentType === 'model' ? (project.value.model ?? 'anthropic/claude-sonnet-4-5') : ''
                }
                required={agent.agentType === 'model' && project.value.model === undefined}
                spellcheck={false}
                onInput={({ currentTarget }) => change(at, { model: currentTarget.value.trim() })}
              />
            </label>
            <label>
              {say('new.may')}
              <select
                value={agent.permission}
                onChange={({ currentTarget }) => change(at, { permission: currentTarget.value })}
              >
                {permissions.map((permission) => (
                  <option key={permission} value={permission}>
                    {say(`may.${permission}`)}
                  </option>
                ))}
              </select>
            </label>
            {agents.length === 1 ? null : (
              <button type="button" onClick={() => setAgents(agents.filter((_, index) => index !== at))}>
                {say('new.remove', { n: at + 1 })}
              </button>
            )}
          </fieldset>
        ))}
        <div class="row">
          <button
            type="button"
            onClick={() => setAgents([...agents, { ...firstAgent, name: `agent${agents.length + 1}` }])}
          >
            {say('new.add')}
          </button>
          <button type="submit" class="primary">
            {say('new.make')}
          </button>
        </div>
        {error === undefined ? null : <Trouble error={error} />}
      </form>
    </details>
  );
}
