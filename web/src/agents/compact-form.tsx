// A summary in the place of older messages: written by an agent, or by oneself.
import { useState } from 'preact/hooks';
import { say } from './room-words.js';
import type { Room } from './rooms.js';
import { ownName } from './say-form.js';

interface CompactFormProps {
  readonly room: Room;
  readonly isBusy: boolean;
  compact(
    agent: string | undefined,
    summary: { readonly keep: number; readonly text?: string; readonly from?: string },
  ): void;
}

export function CompactForm({ room, isBusy, compact }: CompactFormProps) {
  const [keep, setKeep] = useState(20);
  const [by, setBy] = useState(room.agents[0]?.name ?? '');
  const [text, setText] = useState('');
  const isMine = by === '';
  return (
    <details>
      <summary>{say('compact.title')}</summary>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isMine) compact(undefined, { keep, text, from: ownName() });
          else compact(by, { keep });
        }}
      >
        <p class="quiet">{say('compact.lead')}</p>
        <label>
          {say('compact.keep')}
          <input
            type="number"
            min={0}
            required
            value={keep}
            onInput={({ currentTarget }) => setKeep(Number(currentTarget.value))}
          />
        </label>
        <label>
          {say('compact.by')}
          <select value={by} onChange={({ currentTarget }) => setBy(currentTarget.value)}>
            {room.agents.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
            <option value="">{say('compact.mine')}</option>
          </select>
        </label>
        {isMine ? (
          <label>
            {say('compact.text')}
            <textarea
              rows={4}
              required
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
        ) : null}
        <div class="row">
          <button type="submit" disabled={isBusy}>
            {say('compact.do')}
          </button>
        </div>
      </form>
    </details>
  );
}
