// Agents beside the three we know by heart: some that speak the Agent Client Protocol, and whatever the user describes in the file
// that GALLEY_AGENTS names. The file is the user's own, never a repository's, since it says what is started.
import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';
import { findOnPath } from '../cli/find-agent-cli.js';
import { type Permission, permissions } from '../contract/agent-event.js';
import type { Model } from '../contract/model.js';
import { acpModel } from './acp-model.js';
import { plainAgentModel } from './plain-agent.js';

const words = z.array(z.string().max(1000)).max(100);

const otherAgent = z.strictObject({
  title: z.string().min(1).max(100).optional(),
  /** The program, by its name on the PATH or its absolute path, and its arguments. */
  command: words.min(1),
  speaks: z.enum(['acp', 'text']).default('text'),
  /** For text: where the prompt goes. */
  prompt: z.enum(['stdin', 'argument']).default('stdin'),
  /** For text: what the answer comes as. */
  answer: z.enum(['text', 'claude-events']).default('text'),
  /** For text: the arguments that keep it to each permission. */
  may: z.partialRecord(z.enum(permissions), words).default({}),
  /** Environment variables it needs; a name ending in `*` is a beginning. */
  variables: words.default([]),
  /** Variables that are set for it. */
  environment: z.record(z.string(), z.string().max(10_000)).default({}),
  install: z.string().max(300).optional(),
});

export type OtherAgent = z.output<typeof otherAgent>;

const name = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/);

/** Of those that speak the protocol the one that asks before it acts; others are described by the user, who knows their settings. */
const builtIn: Readonly<Record<string, OtherAgent>> = {
  opencode: {
    title: 'OpenCode',
    command: ['opencode', 'acp'],
    install: 'npm install -g opencode-ai',
    variables: ['OPENCODE_*', 'OPENAI_*', 'ANTHROPIC_*', 'GEMINI_*'],
    // Without it, it asks for nothing.
    environment: { OPENCODE_PERMISSION: JSON.stringify({ edit: 'ask', bash: 'ask', webfetch: 'ask' }) },
    ...{ speaks: 'acp', prompt: 'stdin', answer: 'text', may: {} },
  },
};

/** By name, the user's own before ours. */
export async function otherAgents(
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Readonly<Record<string, OtherAgent>>> {
  const path = environment.GALLEY_AGENTS;
  if (path === undefined || path === '') return builtIn;
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw invalid('names a file that cannot be read', cause);
  });
  const parsed = z.record(name, otherAgent).safeParse(readJson(text));
  if (parsed.success) return { ...builtIn, ...parsed.data };
  throw invalid(`: ${parsed.error.issues[0]?.path.join('.') || 'the file'} is not valid`);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid('names a file that is not JSON', cause);
  }
}

function invalid(what: string, cause?: unknown): GalleyError {
  const gap = what.startsWith(':') ? '' : ' ';
  return new GalleyError('CONFIG_INVALID', `GALLEY_AGENTS${gap}${what}.`, { cause });
}

interface OtherModelOptions {
  readonly folder: string;
  readonly may: Permission;
  readonly environment?: NodeJS.ProcessEnv;
}

export async function otherAgentModel(
  called: string,
  agent: OtherAgent,
  { folder, may, environment = process.env }: OtherModelOptions,
): Promise<Model> {
  const [program = '', ...args] = agent.command;
  const found = isAbsolute(program) ? program : await findOnPath(program, environment);
  const { title = called, install = 'its own instructions', variables } = agent;
  if (found === undefined) {
    throw new GalleyError('MODEL_NOT_CONFIGURED', `${title} is not installed; install it with: ${install}`, {
      details: { cli: called, reason: 'not-installed' },
    });
  }
  const settings = agent.environment;
  const shared = { agent: { name: called, title, install }, folder, may, variables, environment, settings };
  if (agent.speaks === 'acp') return acpModel({ ...shared, command: [found, ...args] });
  const limits = agent.may[may];
  if (limits === undefined && may !== 'run') {
    throw new GalleyError(
      'INVALID_ARGUMENT',
      `may: nothing is known that keeps ${title} to "${may}"; say so under "may" in the file of GALLEY_AGENTS, or let it run.`,
      { details: { field: 'may' } },
    );
  }
  const { prompt, answer } = agent;
  return plainAgentModel({ ...shared, command: [found, ...args, ...(limits ?? [])], prompt, answer });
}
