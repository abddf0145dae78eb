// A book comes in by files that are dropped or chosen, and goes out as one file.
import { useState } from 'preact/hooks';
import { call } from '../shell/call.js';
import { afterChange, asked, settled, trouble } from './book.js';
import { say } from './words.js';

const formats = ['md', 'txt', 'docx', 'epub'] as const;

export function Exchange() {
  const [said, setSaid] = useState('');
  const [isOver, setOver] = useState(false);
  const bringIn = async (files: readonly File[]) => {
    if (files.length === 0) return;
    try {
      const given = await Promise.all(
        files.map(async (file) => ({ name: file.name, base64: await base64Of(file) })),
      );
      const { chapters, cards } = await call('documents:import', { ...asked(), files: given });
      setSaid(say('exchange.imported', { chapters: chapters.length, cards: cards.length }));
      await afterChange();
    } catch (error) {
      trouble.value = error;
    }
  };
  const takeOut = async (format: (typeof formats)[number]) => {
    try {
      await settled();
      const { name, mediaType, text, base64 } = await call('documents:export', { ...asked(), format });
      download(name, mediaType, text ?? bytesOf(base64 ?? ''));
    } catch (error) {
      trouble.value = error;
    }
  };
  return (
    <section
      class={`studio-drop${isOver ? ' over' : ''}`}
      aria-label={say('exchange.import')}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void bringIn([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <p class="quiet">{say('exchange.drop')}</p>
      <label class="studio-file">
        {say('exchange.import')}{' '}
        <input
          type="file"
          multiple
          onChange={(event) => void bringIn([...(event.currentTarget.files ?? [])])}
        />
      </label>
      <div class="row">
        <span>{say('exchange.export')}</span>
        {formats.map((format) => (
          <button key={format} type="button" onClick={() => void takeOut(format)}>
            {format.toUpperCase()}
          </button>
        ))}
      </div>
      <p role="status">{said}</p>
    </section>
  );
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

function download(name: string, type: string, content: string | Uint8Array<ArrayBuffer>): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
