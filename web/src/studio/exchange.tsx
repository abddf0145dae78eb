// A book comes in by files that are dropped or chosen, and goes out as one file.
import { signal } from '@preact/signals';
import { call } from '../shell/call.js';
import { afterChange, asked, settled, trouble } from './book.js';
import { say } from './words.js';

const formats = ['md', 'txt', 'docx', 'epub'] as const;

const said = signal('');
/** Whether files are held over the page. */
const isOver = signal(false);

async function bringIn(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  said.value = say('exchange.importing');
  try {
    const given = await Promise.all(
      files.map(async (file) => ({ name: file.name, base64: await base64Of(file) })),
    );
    const { chapters, cards } = await call('documents:import', { ...asked(), files: given });
    said.value = say('exchange.imported', { chapters: chapters.length, cards: cards.length });
    await afterChange();
  } catch (error) {
    said.value = '';
    trouble.value = error;
  }
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;

/** Wherever in the studio files are dropped: the editor would type them in, and the browser would leave the page for them. */
export const takesDrops = {
  onDragOverCapture(event: DragEvent) {
    if (!hasFiles(event)) return;
    event.preventDefault();
    isOver.value = true;
  },
  onDragLeave({ relatedTarget }: DragEvent) {
    if (relatedTarget === null) isOver.value = false;
  },
  onDropCapture(event: DragEvent) {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.stopPropagation();
    isOver.value = false;
    void bringIn([...(event.dataTransfer?.files ?? [])]);
  },
};

export function Exchange() {
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
    <section class={`studio-drop${isOver.value ? ' over' : ''}`} aria-label={say('exchange.import')}>
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
      <p role="status">{said.value}</p>
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
