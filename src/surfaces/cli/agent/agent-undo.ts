// galley agent undo: takes the newest turn back and says which files it touched, and which it left.
import type { AnswerOf } from '../../../operations/table.js';
import { runOperation } from '../shell/local-context.js';
import { textTable } from '../terminal/table.js';
import { printJson } from '../terminal/talk.js';
import { word } from '../words/word.js';

interface UndoOptions {
  readonly list?: boolean;
  readonly allSince?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export async function agentUndoCommand(turn: string | undefined, options: UndoOptions): Promise<void> {
  if (options.list) return listTurns(options);
  const { dryRun = false, allSince = false } = options;
  const request = { ...(turn === undefined ? {} : { turn }), dryRun, allSince };
  const undone = await runOperation('agents:undo', request);
  if (options.json) return printJson(undone);
  const { by, at, restored, removed, left, headMoved, unstaged, indexChanged, othersToo, undo } = undone;
  const isNothing = restored.length + removed.length + unstaged.length === 0;
  const lines = [
    isNothing
      ? word('agent.undo.nothing', { by, turn: undone.turn, at: shownTime(at) })
      : word(dryRun ? 'agent.undo.would' : 'agent.undo.did', { by }),
    ...restored.map((path) => `  ${word('agent.undo.restored', { path })}`),
    ...removed.map((path) => `  ${word('agent.undo.removed', { path })}`),
    ...left.map(({ path, why }) => `  ${word(`agent.undo.${why}`, { path })}`),
    ...(unstaged.length > 0 ? [`  ${word('agent.undo.unstaged', { n: unstaged.length })}`] : []),
    ...(othersToo && !isNothing ? [word('agent.undo.others', { by })] : []),
    ...(indexChanged ? [word('agent.undo.index')] : []),
    ...(headMoved ? [word('agent.undo.head')] : []),
    ...(undo === undefined ? [] : [word('agent.undo.again', { undo })]),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function listTurns({ json }: UndoOptions): Promise<void> {
  const { turns } = await runOperation('agents:turns', {});
  if (json) return printJson({ turns });
  if (turns.length === 0) {
    process.stdout.write(`${word('agent.undo.none')}\n`);
    return;
  }
  const columns = (['turn', 'when', 'by', 'state'] as const).map((name) => ({
    title: word(`agent.undo.${name}`),
  }));
  process.stdout.write(textTable(columns, turns.map(rowOf)));
}

const shownTime = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

function rowOf({ turn, at, by, ended, undone }: AnswerOf<'agents:turns'>['turns'][number]): string[] {
  const state = undone ? 'undone' : ended ? 'open' : 'cut-off';
  return [turn, shownTime(at), by, word(`agent.undo.is.${state}`)];
}
