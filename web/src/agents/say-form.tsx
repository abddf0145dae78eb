// Saying something in a room, and letting an agent speak.
import { useState } from 'preact/hooks';
import { say } from './room-words.js';
import type { Room } from './rooms.js';

const nameKey = 'galley.name';

/** As whom one speaks; remembered by the browser. */
export function ownName(): string {
  try {
    return localStorage.getItem(nameKey) ?? 'user';
  } catch {
    return 'user';
  }
}

function rememberName(name: string): void {
  try {
    localStorage.setItem(nameKey, name);
  } catch {
    // Remembered until the page is closed.
  }
}

interface SayFormProps {
  readonly room: Room;
  readonly isBusy: boolean;
  /** False when it was refused: what was written stays. */
  speak(message: object): Promise<boolean>;
  letSpeak(agent: string): void;
}

export function SayForm({ room, isBusy, speak, letSpeak }: SayFormProps) {
  const [text, setText] = useState('');
  const [from, setFrom] = useState(ownName);
  const [to, setTo] = useState('');
  const [isPinned, setPinned] = useState(false);
  const [isRule, setRule] = useState(false);
  const [only, ...others] = room.agents;
  // Nobody else could be meant.
  const [next, setNext] = useState(others.length === 0 ? (only?.name ?? '') : '');
  const isEmpty = text.trim() === '';
  const send = async (): Promise<boolean> => {
    rememberName(from);
    const message = {
      ...{ from, content: text, role: isRule ? 'system' : 'user' },
      ...(to === '' ? {} : { to }),
      ...(isPinned ? { pinned: true } : {}),
    };
    const isSaid = await speak(message);
    if (!isSaid) return false;
    setText('');
    setPinned(false);
    setRule(false);
    return true;
  };
  const both = async () => {
    if (isBusy) return;
    if (isEmpty || (await send())) letSpeak(next);
  };
  const names = room.agents.map(({ name }) => (
    <option key={name} value={name}>
      {name}
    </option>
  ));
  return (
    <form
      class="say"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) void send();
      }}
    >
      <label class="wide">
        {say('say.text')}
        <textarea
          rows={3}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            void both();
          }}
        />
      </label>
      <div class="row">
        <label>
          {say('say.from')}{' '}
          <input
            required
            size={10}
            value={from}
            onInput={({ currentTarget }) => setFrom(currentTarget.value)}
          />
        </label>
        <label>
          {say('say.to')}{' '}
          <select value={to} onChange={({ currentTarget }) => setTo(currentTarget.value)}>
            <option value="">{say('say.everyone')}</option>
            {names}
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={isPinned}
            onChange={({ currentTarget }) => setPinned(currentTarget.checked)}
          />{' '}
          {say('say.pin')}
        </label>
        <label>
          <input
            type="checkbox"
            checked={isRule}
            onChange={({ currentTarget }) => setRule(currentTarget.checked)}
          />{' '}
          {say('say.rule')}
        </label>
        <button type="submit" disabled={isEmpty}>
          {say('say.do')}
        </button>
      </div>
      <div class="row">
        <label>
          {say('say.next')}{' '}
          <select value={next} onChange={({ currentTarget }) => setNext(currentTarget.value)}>
            <option value="">{say('say.mention')}</option>
            {names}
          </select>
        </label>
        <button type="button" class="primary" disabled={isBusy} onClick={() => void both()}>
          {say(isEmpty ? 'say.speak' : 'say.both')}
        </button>
        <span class="quiet">Ctrl+Enter</span>
      </div>
    </form>
  );
}
