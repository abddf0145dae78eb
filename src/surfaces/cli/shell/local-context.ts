// What operations may reach for when the user's own shell is the door: everything is granted, the store opens on demand.
import { sessionHomes } from '../../../agents/sessions/session-homes.js';
import { isGalleyError } from '../../../core/model/error.js';
import { call } from '../../../operations/call.js';
import type { Log, OperationContext } from '../../../operations/operation.js';
import type { AnswerOf, OperationId } from '../../../operations/table.js';
import type { Store } from '../../../store/store.js';
import { nameOfFolder, projectOfFolder, type StorePlace } from '../../../writing/folder/project-folder.js';
import { everyGrant } from '../../engine.js';
import { localForge } from '../../local-forge.js';
import { localAnswers, localEmbeddings, localModels, localPrices, localSent } from '../../local-models.js';
import { localTickets } from '../../local-tickets.js';
import { sharedStore } from '../../shared-store.js';
import { cancellation } from './cancellation.js';

export interface LocalContext extends OperationContext {
  close(): Promise<void>;
}

export function localContext(options: { store?: string } = {}): LocalContext {
  const folder = process.cwd();
  const signal = cancellation();
  const { store, close } = sharedStore(folder, { path: options.store });
  return {
    signal,
    folder,
    debug: process.env.GALLEY_DEBUG === '1',
    grants: everyGrant,
    log: shellLog,
    now: () => Date.now(),
    store,
    model: localModels({ folder }),
    prices: localPrices,
    forge: localForge(signal),
    answers: localAnswers(folder),
    sentHere: localSent(folder),
    tickets: localTickets(),
    sessions: sessionHomes(process.env),
    mayRunCommands: true,
    embeddings: localEmbeddings(),
    close,
  };
}

/** Runs one operation from the shell and leaves nothing open behind it. */
export async function runOperation<Id extends OperationId>(
  id: Id,
  request: unknown,
  options: { store?: string } = {},
): Promise<AnswerOf<Id>> {
  const context = localContext(options);
  try {
    return (await call(id, request, context)) as AnswerOf<Id>;
  } finally {
    await context.close();
  }
}

/** The project of the folder a command works in. A store that cannot be opened is refused by whoever needs it. */
export async function projectHere(
  open: () => Promise<Store>,
  folder: string,
  place: StorePlace,
): Promise<string> {
  try {
    return await projectOfFolder(await open(), folder, place);
  } catch (error) {
    if (isGalleyError(error)) return nameOfFolder(folder);
    throw error;
  }
}

/** Log lines go to stderr as JSON: security lines always, the rest when GALLEY_LOG is set. */
export const shellLog: Log = (line) => {
  if (line.level !== 'security' && !process.env.GALLEY_LOG) return;
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`);
};
