// A folder and a store of its own for each test, with every operation at hand.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findModel } from '../../src/models/find-model.js';
import { call } from '../../src/operations/call.js';
import type { Grant, OperationContext } from '../../src/operations/operation.js';
import { openStore } from '../../src/store/sqlite/open-store.js';
import type { Store } from '../../src/store/store.js';
import type { AssembledSkill } from '../../src/writing/skill-run/assemble-skill.js';

export interface Workshop {
  readonly folder: string;
  readonly store: Store;
  readonly context: OperationContext;
  call<T = Record<string, unknown>>(id: string, request: unknown): Promise<T>;
  dryRun(request: object): Promise<AssembledSkill & { runId?: string }>;
  write(path: string, content: string | Uint8Array): Promise<void>;
  close(): Promise<void>;
}

const grants: ReadonlySet<Grant> = new Set(['read', 'write', 'inspect', 'run']);

export async function openWorkshop(options: { folder?: string } = {}): Promise<Workshop> {
  const own = await realpath(await mkdtemp(join(tmpdir(), 'galley-skills-')));
  const folder = options.folder ?? join(own, 'work');
  await mkdir(folder, { recursive: true });
  let time = 1_000;
  let ids = 0;
  const now = () => {
    time += 1;
    return time;
  };
  const newId = () => {
    ids += 1;
    return `id-${ids}`;
  };
  const store = await openStore({ path: join(own, 'galley.db'), now, newId });
  const context: OperationContext = {
    signal: new AbortController().signal,
    folder,
    debug: false,
    grants,
    log: () => undefined,
    now,
    store: async () => store,
    model: (name) => findModel(name, { folder, environment: {} }),
  };
  return {
    folder,
    store,
    context,
    call: async <T>(id: string, request: unknown) => (await call(id, request, context)) as T,
    dryRun: async (request) =>
      (await call(
        'ai:skill:run',
        { projectId: 'novel', dryRun: true, ...request },
        context,
      )) as AssembledSkill,
    async write(path, content) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    },
    async close() {
      await store.close();
      await rm(own, { recursive: true, force: true });
    },
  };
}

export const skillFile = (rules: string, name = 'my-skill') =>
  `---\nname: ${name}\ndescription: 测试\ncontext_rules:\n${rules}\nprompt:\n  system: 按要求改写。\n  user: "{{text}}"\n---\n`;
