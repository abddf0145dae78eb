// A chapter is opened: its file is read, and what a page before this one could not save is brought back.
import { isGone, readChapter } from './chapter-file.js';
import { takeLeft } from './left-text.js';
import { beginRecord, markOf, ownRecord } from './page-record.js';
import { openSaver, type Saver } from './saving.js';

export interface Opened {
  readonly saver: Saver;
  /** What the editor begins with. */
  readonly text: string;
  readonly isRecovered: boolean;
  /** A page before this one ended while text was on its way; what was typed in its last second may be missing. */
  readonly isCutOff: boolean;
}

/** Reads the chapter, and brings back what a page before this one could not save. */
export async function openChapter(project: string, document: string): Promise<Opened> {
  let refusal: unknown;
  const disk = await readChapter(project, document).catch((error: unknown) => {
    refusal = error;
    return undefined;
  });
  if (disk === undefined && !isGone(refusal)) throw refusal;
  const { isCutOff, texts } = await takeLeft(project, document);
  if (disk === undefined && texts.length === 0) throw refusal;
  const onDisk = disk === undefined ? undefined : markOf(disk.text);
  const isInFile = ({ kept, sent }: (typeof texts)[number]) =>
    kept.text === disk?.text || sent.some(({ mark, at }) => mark === onDisk && at >= kept.at);
  for (const old of texts.filter(isInFile)) await old.settle();
  const last = texts.find((each) => !isInFile(each));
  const begun = (await last?.takeOver()) ?? beginRecord();
  const text = last?.kept.text ?? disk?.text ?? '';
  const record = ownRecord(project, document, begun);
  const saver = openSaver(project, document, { disk, text, record, sent: begun.sent });
  if (last === undefined) return { saver, text, isRecovered: false, isCutOff };
  const { kept, sent } = last;
  const isOwn = disk !== undefined && (disk.hash === kept.hash || sent.some(({ mark }) => mark === onDisk));
  if (isOwn) saver.changed();
  else {
    saver.conflict.value = { theirs: disk, isKept: true };
    saver.state.value = { kind: disk === undefined ? 'gone' : 'changed' };
  }
  return { saver, text, isRecovered: isOwn, isCutOff };
}
