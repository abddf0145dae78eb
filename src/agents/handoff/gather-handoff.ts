// What of a session another agent needs to go on: what was asked for, the open plan, decisions in the words they were taken in, the
// files that were touched, what was said last. All of it is quoted with its place; nothing is inferred.
import { type JsonObject, pickText } from '../../models/answer/json-fields.js';
import type { FoundSession } from '../sessions/find-sessions.js';
import { readSession } from '../sessions/read-session.js';
import type { SessionItem } from '../sessions/session-log.js';
import { handedRequests, handoffFile } from './handed-over.js';
import { linesByKey, newestQuotes, type Quote } from './newest-quotes.js';

export interface PlanStep {
  readonly text: string;
  readonly status: string;
}

export interface SessionMatter {
  readonly requests: readonly Quote[];
  readonly plan: readonly PlanStep[];
  readonly decisions: readonly Quote[];
  readonly messages: readonly Quote[];
  /** As the session names them. */
  readonly files: readonly string[];
  readonly folder?: string;
  readonly startedAt?: number;
  /** What is never handed over. */
  readonly left: { readonly results: number; readonly characters: number };
  /** Lines of the file that could not be read. */
  readonly unreadable: number;
}

/** What an agent that leaves is asked in its own session; no request of the user's, so a later handoff passes over it. */
export const noteQuestion =
  'Another agent takes over your work in this folder. Write the note for it, at most 300 words: what is done, what is open, what you tried that did not work, and what it must know that the files do not say. Change nothing and use no tools; answer with the note alone.';

/** More than a turn could name. */
const maxFiles = 2_000;

export async function gatherHandoff(
  session: FoundSession,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<SessionMatter> {
  const requests = newestQuotes();
  const messages = newestQuotes();
  const files = new Set<string>();
  const plan = createPlan();
  const left = { results: 0, characters: 0 };
  const lineOf = linesByKey();
  const told: { folder?: string; startedAt?: number } = {};
  /** Where the turn stood that this session began with; only a result of reading that very file is taken for it. */
  let handedFile: string | undefined;
  /** The line that tells a replaced history once more; what it says was said before. */
  let retold: number | 'next' | undefined;

  /** The one touched last stands last. */
  const touch = (path: string) => {
    files.delete(path);
    files.add(path);
    if (files.size > maxFiles) files.delete(files.values().next().value ?? '');
  };
  const readItem = (item: SessionItem) => {
    const { key, line, part } = item;
    if (retold === 'next') retold = line;
    if (retold === line) return;
    if (key !== undefined) lineOf.note(key, line);
    if (part === 'user') {
      handedFile = handoffFile(item.text) ?? handedFile;
      const handed = handoffFile(item.text) === undefined ? handedRequests(item.text) : [];
      if (!item.text.includes(noteQuestion))
        for (const text of handed ?? [item.text]) requests.add(line, text);
    } else if (part === 'assistant') messages.add(line, item.text);
    else if (part === 'call') {
      plan.read(item.tool ?? '', item.input);
      if (changesFiles.test(item.tool ?? '') && item.target !== undefined) touch(item.target);
      for (const path of patchedFiles(item.input)) touch(path);
    } else if (part === 'result') {
      if (item.target !== undefined && item.target === handedFile) {
        for (const text of handedRequests(item.text) ?? []) requests.add(line, text);
        handedFile = undefined;
      }
      left.results += 1;
      left.characters += item.text.length;
    }
  };
  const { unreadable } = await readSession(
    session,
    {
      began({ folder, at }) {
        if (folder !== undefined) told.folder ??= folder;
        if (at !== undefined) told.startedAt ??= at;
      },
      item: readItem,
      replaced() {
        retold = 'next';
      },
      // Told again, it is fuller: the words of before go.
      retold(key) {
        const line = lineOf.find(key);
        if (line === undefined) return;
        requests.removeLine(line);
        messages.removeLine(line);
      },
      rewound(key) {
        const line = key === undefined ? 0 : lineOf.find(key);
        if (line === undefined) return;
        requests.cutBehind(line);
        messages.cutBehind(line);
        if (line === 0) plan.clear();
      },
      fileChanged: touch,
    },
    options,
  );
  const said = messages.list();
  return {
    requests: requests.list(),
    messages: said,
    plan: plan.steps(),
    decisions: said.flatMap(decisionsIn),
    files: [...files],
    ...told,
    left,
    unreadable,
  };
}

const changesFiles = /^(?:Edit|Write|MultiEdit|NotebookEdit|replace|write_file|edit_file|apply_patch)$/;

/** Every file that a patch in the input of a call names. */
function patchedFiles(input: JsonObject | undefined): string[] {
  return Object.values(input ?? {}).flatMap((value) =>
    typeof value === 'string'
      ? [...value.matchAll(/^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm)].map(([, path = '']) => path.trim())
      : [],
  );
}

/** Words with which people and models say that something was settled. */
const settled =
  /\b(?:decid(?:e|ed|ing)|decision|cho(?:o|)se|chosen|settled on|instead of|rather than|stays?|keep(?:ing|s)? (?:it|the|this)|will use|must not|because|since)\b|决定|选择了|改为|采用|保留|不再|因为/iu;

/** Whole sentences, as they stand. */
function decisionsIn({ line, text }: Quote): Quote[] {
  const sentences = text.match(/[^.!?。！？\n]+(?:[.!?。！？]+|\n|$)/gu) ?? [];
  return sentences
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length <= 500 && settled.test(sentence))
    .map((sentence) => ({ line, text: sentence }));
}

const maxSteps = 1_000;

/** The plan as the agent last wrote it down, whichever tool it has for that. */
function createPlan() {
  const steps = new Map<string, PlanStep>();
  let tasks = 0;
  const whole = (list: unknown) => {
    if (!Array.isArray(list)) return;
    steps.clear();
    for (const [at, step] of (list as readonly unknown[]).slice(0, maxSteps).entries())
      steps.set(String(at + 1), {
        text: pickText(step, 'content') ?? pickText(step, 'step') ?? pickText(step, 'description') ?? '',
        status: pickText(step, 'status') ?? 'pending',
      });
  };
  return {
    read(tool: string, input: JsonObject | undefined) {
      if (tool === 'TodoWrite' || tool === 'write_todos') whole(input?.todos);
      else if (tool === 'update_plan') whole(input?.plan);
      else if (tool === 'TaskCreate') {
        tasks += 1;
        steps.set(String(tasks), { text: pickText(input, 'subject') ?? '', status: 'pending' });
        if (steps.size > maxSteps) steps.delete(steps.keys().next().value ?? '');
      } else if (tool === 'TaskUpdate') {
        const status = pickText(input, 'status');
        const id = pickText(input, 'taskId') ?? '';
        const step = steps.get(id);
        if (step !== undefined && status !== undefined) steps.set(id, { ...step, status });
      }
    },
    clear() {
      steps.clear();
      tasks = 0;
    },
    steps: (): PlanStep[] =>
      [...steps.values()].filter(({ text, status }) => text !== '' && status !== 'deleted'),
  };
}
