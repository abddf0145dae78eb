// What --json of each command prints: most print the answer of an operation.
import * as z from 'zod';
import { findOperation } from '../../operations/table.js';

const operations: Readonly<Record<string, string>> = {
  agent: 'agents:assemble',
  'agent run': 'agents:run',
  report: 'review:report',
  'write assemble': 'context:assemble',
  'write constraints': 'constraints:list',
  'write constraints add': 'constraints:create',
  'write constraints remove': 'constraints:delete',
  'write entities': 'entities:list',
  'write entities add': 'entities:put',
  'write entities remove': 'entities:delete',
  'write inspect': 'context:inspect',
  'write judge': 'constraints:judge',
  'write memory': 'memory:list',
  'write memory add': 'memory:put',
  'write memory confirm': 'memory:confirm',
  'write memory remove': 'memory:delete',
  'write run': 'ai:skill:run',
  'write skills': 'skills:list',
  'write skills add': 'skills:put',
  'write skills lint': 'skills:lint',
  'write skills show': 'ai:skill:run',
};

const answers = () => import('./own-answers.js');

const own: Readonly<Record<string, () => Promise<z.ZodType>>> = {
  call: async () => (await answers()).callAnswer,
  completion: async () => (await answers()).completionAnswer,
  doctor: async () => (await import('./doctor/finding.js')).doctorAnswer,
  init: async () => (await import('./init-command.js')).initAnswer,
  'mcp install': async () => (await answers()).installAnswer,
  receipts: async () =>
    z.union([await outputOf('receipts:list'), (await outputOf('receipts:get')).describe('with an id')]),
  review: async () =>
    z.union([
      await outputOf('review:chunks'),
      (await answers()).writtenPages.describe('with --out'),
      (await outputOf('review:run')).describe('with a model, or with --dry-run'),
    ]),
  schema: async () => (await answers()).schemaAnswer,
  write: async () => (await answers()).projectStatus,
  'write index': async () => (await answers()).followedFolder,
  'write init': async () => (await answers()).madeProject,
  'write status': async () => (await answers()).projectStatus,
};

/** By the words one types, without the program's name. */
export const jsonCommands: readonly string[] = [...Object.keys(operations), ...Object.keys(own)].sort();

export async function jsonAnswer(command: string): Promise<z.ZodType | undefined> {
  if (Object.hasOwn(own, command)) return own[command]?.();
  return Object.hasOwn(operations, command) ? outputOf(operations[command] ?? '') : undefined;
}

async function outputOf(id: string): Promise<z.ZodType> {
  return (await findOperation(id))?.output ?? z.unknown();
}
