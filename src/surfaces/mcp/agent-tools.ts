// The tools an agent sees unless it asks for all: few, because their descriptions stand in its window at every turn, and named by
// when they help. The last of them reaches every operation there is.
import type { Tool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';
import { parseInput } from '../../core/model/input.js';
import type { Receipt } from '../../core/model/receipt.js';
import { type JsonSchema, requestSchema } from '../../operations/describe-schema.js';
import type { Grant, Operation } from '../../operations/operation.js';
import { requestOfModel } from '../../operations/request-fields.js';
import { findOperation, operationIds } from '../../operations/table.js';
import { isAllowed } from '../allowed-sessions.js';
import { explainReceipt } from '../cli/terminal/explain-receipt.js';
import { type ChapterProject, findChapter, languageField } from '../cli/write/chapter.js';
import type { Engine, EngineCall } from '../engine.js';
import type { ReviewReader } from './review-page.js';
import { pageOfText } from './text-page.js';

export interface ToolPlace {
  readonly engine: Engine;
  readonly projectId: string;
  readonly review: ReviewReader;
  readonly grants: ReadonlySet<Grant>;
}

interface AgentTool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  run(input: z.output<Input>, place: ToolPlace, options: EngineCall): Promise<string>;
}

const defineTool = <Input extends z.ZodObject>(tool: AgentTool<Input>) => tool as unknown as AgentTool;

const page = z.int().min(1).default(1).describe('of a long answer');
const revision = z.string().min(1).max(1000).optional();

/** Clients refuse a tool's answer above 25,000 tokens. */
const promptTokens = 20_000;

const reviewChange = defineTool({
  name: 'review_change',
  description:
    'Use before you call a change done, or when asked to review one. Gives the diff with the code around it, the review rules of the project and what is left out. Without arguments: the branch you are on, else uncommitted work.',
  input: z.strictObject({
    base: revision.describe('compare with this revision'),
    head: revision,
    commit: revision.describe('review this commit alone'),
    mode: z
      .enum(['pr', 'staged', 'working', 'commit'])
      .optional()
      .describe('working: everything not committed'),
    page,
  }),
  async run({ page: number, ...change }, { review }, options) {
    const asked = { ...change, page: number, maxPromptTokens: promptTokens, context: 'plan' as const };
    const { text, coverage, pages, uncommitted } = await review(asked, options);
    const aside =
      uncommitted === 0
        ? []
        : [
            `Not in this review: ${uncommitted} files with changes that are not committed; "mode": "working" shows them.`,
          ];
    return [...aside, coverage, text, ...more(number, pages)].join('\n\n');
  },
});

const findCode = defineTool({
  name: 'find_code',
  description:
    'Use at the start of a task, before searching by hand. Give the task, the issue or the stack trace in full; gives the files and lines that matter most.',
  input: z.strictObject({
    task: z.string().max(1_000_000),
    budget: z.int().min(200).max(20_000).default(6_000).describe('tokens of the answer'),
    from: z.int().min(1).default(1).describe('go on from this place of the list'),
  }),
  async run({ task: query, budget, from }, { engine }, options) {
    const request = { query, budget: { tokens: budget }, from };
    const { text, next } = (await engine.call('code:find', request, options)) as Found;
    const goOn = next === undefined ? [] : [`There are more: ask again with "from": ${next}.`];
    return [text === '' ? 'Nothing here speaks for any file.' : text, ...goOn].join('\n\n');
  },
});

interface Found {
  readonly text: string;
  readonly next?: number;
}

const chapterContext = defineTool({
  name: 'chapter_context',
  description:
    'Use before you write or edit prose of a book. Gives the rules, people, story so far and nearby text for a chapter, as a writing model gets them.',
  input: z.strictObject({
    chapter: z.string().min(1).max(512).describe('its file, title or number'),
    wish: z.string().max(100_000).optional().describe('what is to be written'),
    skill: z.string().max(512).default('continue').describe('continue, expand, polish, …'),
    page,
  }),
  async run({ chapter, wish, skill, page: number }, { engine, projectId }, options) {
    const project = {
      call: async (id: string, fields: object = {}) => engine.call(id, { projectId, ...fields }, options),
    } as ChapterProject;
    const { documentId } = await findChapter(project, chapter);
    const request = {
      ...{ projectId, documentId, skillId: await knownSkill(skill, project), format: 'chapters' },
      ...(await languageField(project, documentId, {})),
      cursorPosition: Number.MAX_SAFE_INTEGER,
      ...(wish === undefined ? {} : { additionalInput: wish }),
    };
    const { system, prompt } = (await engine.call('context:assemble', request, options)) as Assembled;
    return paged([system, prompt].filter((text) => text !== '').join('\n\n'), number);
  },
});

async function knownSkill(called: string, project: ChapterProject): Promise<string> {
  const { skills } = await project.call('skills:list');
  const ids = skills.map(({ id }) => id);
  if (ids.includes(called)) return called;
  throw new GalleyError('NOT_FOUND', `skill: there is no such skill; there are ${ids.join(', ')}.`);
}

interface Assembled {
  readonly system: string;
  readonly prompt: string;
}

const receiptInWords = defineTool({
  name: 'explain_receipt',
  description:
    'Use to learn what a prompt set by Galley held, what stayed out and why. Without an id: the newest.',
  input: z.strictObject({
    id: z.string().min(1).max(512).optional().describe('of the receipt'),
    page,
  }),
  async run({ id, page: number }, { engine, projectId }, options) {
    const named = id ?? (await newestReceipt(engine, projectId, options));
    if (named === undefined) return 'No receipt is kept here yet.';
    const { operation, createdAt, value } = (await engine.call(
      'receipts:get',
      { projectId, id: named },
      options,
    )) as KeptReceipt;
    return paged(`${operation}, ${new Date(createdAt).toISOString()}\n${explainReceipt(value)}`, number);
  },
});

interface KeptReceipt {
  readonly operation: string;
  readonly createdAt: number;
  readonly value: Receipt;
}

async function newestReceipt(
  engine: Engine,
  projectId: string,
  options: EngineCall,
): Promise<string | undefined> {
  const { receipts } = (await engine.call('receipts:list', { projectId, limit: 1 }, options)) as {
    receipts: readonly { readonly id: string }[];
  };
  return receipts[0]?.id;
}

const anyOperation = defineTool({
  name: 'galley',
  description:
    'Everything else: reviews by a model, pull requests, drafts, chapters, memory, agents. Without arguments it lists the operations; with "operation" alone it describes one; with "request" it runs it.',
  input: z.strictObject({
    operation: z.string().max(100).optional().describe('its name, or the beginning of names'),
    request: z.record(z.string(), z.unknown()).optional().describe('its fields; {} where it needs none'),
    page,
  }),
  async run({ operation: id, request, page: number }, place, options) {
    const operation = id === undefined ? undefined : await findOperation(id);
    if (operation === undefined) return paged(await operationList(id, place.grants), number);
    const form = requestSchema(operation.input);
    if (request === undefined) return described(operation, form);
    const full = withProject(form, requestOfModel(operation, request), place.projectId);
    if (operation.inParts !== true)
      return paged(jsonText(await place.engine.call(operation.id, full, options)), number);
    const answer = await place.engine.call(operation.id, { part: number, ...full }, options);
    return [jsonText(answer), ...more(number, (answer as Parted).part?.of ?? 1)].join('\n\n');
  },
});

interface Parted {
  readonly part?: { readonly of: number };
}

async function operationList(family: string | undefined, grants: ReadonlySet<Grant>): Promise<string> {
  const known = (await Promise.all(operationIds.map(findOperation))) as Operation[];
  const granted = known.filter(({ id, grant }) => isAllowed(id) && grants.has(grant));
  const asked = granted.filter(({ id }) => family === undefined || id.startsWith(family));
  if (asked.length === 0) {
    throw new GalleyError(
      'UNKNOWN_OPERATION',
      'There is no such operation; without arguments all are listed.',
    );
  }
  return asked.map(({ id, summary }) => `${id}: ${summary}`).join('\n');
}

function described({ id, summary, example }: Operation, form: JsonSchema): string {
  return [`${id}: ${summary}`, `Request: ${jsonText(form)}`, `For example: ${jsonText(example)}`].join(
    '\n\n',
  );
}

/** An agent in a folder means the project of that folder. */
function withProject(form: JsonSchema, request: Record<string, unknown>, projectId: string) {
  return 'projectId' in Object(form.properties) ? { projectId, ...request } : request;
}

const jsonText = (value: unknown) => JSON.stringify(value ?? null);

function more(number: number, pages: number): string[] {
  if (pages <= 1) return [];
  const next = number < pages ? ` Ask the same again with "page": ${number + 1} for the next.` : '';
  return [`Page ${number} of ${pages}.${next}`];
}

function paged(text: string, number: number): string {
  const { text: part, pages } = pageOfText(text, number);
  return [part, ...more(number, pages)].join('\n\n');
}

const agentTools: readonly AgentTool[] = [
  reviewChange,
  findCode,
  chapterContext,
  receiptInWords,
  anyOperation,
];

export function listAgentTools(grants: ReadonlySet<Grant>): Tool[] {
  const isReader = !grants.has('write') && !grants.has('run');
  return agentTools.map(({ name, description, input }) => ({
    name,
    description,
    inputSchema: { ...requestSchema(input), type: 'object' } as Tool['inputSchema'],
    annotations: { readOnlyHint: isReader || name !== anyOperation.name, openWorldHint: false },
  }));
}

/** The text a tool answers with, or nothing if there is no such tool. */
export async function runAgentTool(
  name: string,
  given: Record<string, unknown>,
  { place, options }: { readonly place: ToolPlace; readonly options: EngineCall },
): Promise<string | undefined> {
  const tool = agentTools.find((known) => known.name === name);
  return tool?.run(parseInput(tool.input, given), place, options);
}
