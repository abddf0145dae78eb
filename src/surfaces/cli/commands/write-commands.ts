// The commands of a writing project, as rows of the command table.
import {
  type CommandRow,
  constraintKinds,
  dryRunFlag,
  explainFlag,
  type FlagRow,
  flag,
  inclusions,
  jsonFlag,
  memoryKinds,
  promptLanguages,
  storeFlag,
} from './command-row.js';

/** Of every command of a writing project. */
const project = [flag('--project <id>', 'write.project'), storeFlag, jsonFlag];
const language = flag('--language <language>', 'flag.prompt-language', { choices: promptLanguages });
const ask = flag('--ask <text>', 'flag.ask');
const cursor = flag('--cursor <n>', 'flag.cursor');
const select = flag('--select <from:to>', 'write.skills.select');
const places = [
  flag('--from <words>', 'write.select.from'),
  flag('--to <words>', 'write.select.to'),
  flag('--paragraph <n>', 'write.select.paragraph'),
  flag('--lines <n>', 'write.select.lines'),
  select,
  flag('--after <words>', 'write.select.after'),
  cursor,
];
const skillBudget = flag('--budget <tokens>', 'write.skills.budget');
const chapterContext = [
  flag('--cursor <n>', 'flag.cursor', { preset: 'end' }),
  flag('--skill <id>', 'flag.skill', { preset: 'continue' }),
  ask,
  language,
  flag('--model <name>', 'flag.model'),
];
const id: FlagRow = { form: '<id>' };
const text: FlagRow = { form: '<text>' };
const path: FlagRow = { form: '<path>' };
const skill: FlagRow = { form: '<skill>' };
const chapter: FlagRow = { form: '<chapter>' };
const draft: FlagRow = { form: '<draft>' };

export const writeCommands = {
  write: {
    about: 'write.about',
    flags: [jsonFlag],
    examples: ['galley write', 'galley write init', 'galley write assemble 3 --explain'],
  },
  'write init': {
    about: 'write.init.about',
    flags: [...project, dryRunFlag],
    examples: ['galley write init --dry-run', 'galley write init'],
  },
  'write status': {
    about: 'write.status.about',
    flags: project,
    examples: ['galley write status', 'galley write status --json'],
  },
  'write index': { about: 'write.index.about', flags: project, examples: ['galley write index'] },
  'write constraints': {
    about: 'write.constraints.about',
    flags: project,
    examples: ['galley write constraints', 'galley write constraints add "没有魔法" --kind world'],
    operation: 'constraints:list',
  },
  'write constraints add': {
    about: 'write.constraints.add.about',
    takes: [text],
    flags: [
      ...project,
      flag('--kind <kind>', 'write.constraints.kind', { choices: constraintKinds, preset: 'style' }),
      flag('--priority <n>', 'write.constraints.priority', { preset: '0' }),
      flag('--pin', 'write.constraints.pin'),
    ],
    examples: [
      'galley write constraints add "没有魔法" --kind world --pin',
      'galley write constraints add "Past tense only" --kind style --priority 5',
    ],
    operation: 'constraints:create',
  },
  'write constraints remove': {
    about: 'write.constraints.remove.about',
    takes: [id],
    flags: project,
    examples: ['galley write constraints remove <id>'],
    operation: 'constraints:delete',
  },
  'write entities': {
    about: 'write.entities.about',
    flags: project,
    examples: ['galley write entities', 'galley write entities add 林远 "冷静的工程师"'],
    operation: 'entities:list',
  },
  'write entities add': {
    about: 'write.entities.add.about',
    takes: [{ form: '<name>' }, { form: '<description>' }],
    flags: [
      ...project,
      flag('--alias <name...>', 'write.entities.alias'),
      flag('--kind <kind>', 'write.entities.kind'),
      flag('--inclusion <mode>', 'write.entities.inclusion', { choices: inclusions }),
    ],
    examples: ['galley write entities add 林远 "冷静的工程师" --alias 老林 --inclusion always'],
    operation: 'entities:put',
  },
  'write entities remove': {
    about: 'write.entities.remove.about',
    takes: [id],
    flags: project,
    examples: ['galley write entities remove <id>'],
    operation: 'entities:delete',
  },
  'write memory': {
    about: 'write.memory.about',
    flags: project,
    examples: ['galley write memory', 'galley write memory add "动作场景偏好短句"'],
    operation: 'memory:list',
  },
  'write memory add': {
    about: 'write.memory.add.about',
    takes: [text],
    flags: [
      ...project,
      flag('--kind <kind>', 'write.memory.kind', { choices: memoryKinds, preset: 'semantic' }),
    ],
    examples: ['galley write memory add "动作场景偏好短句" --kind semantic'],
    operation: 'memory:put',
  },
  'write memory confirm': {
    about: 'write.memory.confirm.about',
    takes: [id],
    flags: project,
    examples: ['galley write memory confirm <id>'],
    operation: 'memory:confirm',
  },
  'write memory remove': {
    about: 'write.memory.remove.about',
    takes: [id],
    flags: project,
    examples: ['galley write memory remove <id>'],
    operation: 'memory:delete',
  },
  'write skills': {
    about: 'write.skills.about',
    flags: project,
    examples: ['galley write skills', 'galley write skills show polish 3 --select 120:180'],
    operation: 'skills:list',
  },
  'write skills lint': {
    about: 'write.skills.lint.about',
    takes: [path],
    flags: project,
    examples: ['galley write skills lint .galley/skills/log-entry/SKILL.md'],
    operation: 'skills:lint',
  },
  'write skills add': {
    about: 'write.skills.add.about',
    takes: [path],
    flags: project,
    examples: ['galley write skills add my-skill/SKILL.md'],
    operation: 'skills:put',
  },
  'write skills show': {
    about: 'write.skills.show.about',
    takes: [skill, chapter],
    flags: [
      ...[...project, ...places, ask, language, flag('--model <name>', 'flag.model')],
      ...[skillBudget, explainFlag],
    ],
    examples: ['galley write skills show polish 3 --select 120:180 --explain'],
    operation: 'ai:skill:run',
  },
  'write run': {
    about: 'write.run.about',
    takes: [skill, chapter],
    flags: [
      ...[...project, ...places, ask, language],
      flag('--model <name>', 'write.run.model'),
      flag('--judge-model <name>', 'write.run.judge-model'),
      flag('--rewrites <n>', 'write.run.rewrites', { preset: '1' }),
      skillBudget,
      flag('--timeout <seconds>', 'write.run.timeout', { preset: '600' }),
      flag('--variants <n>', 'write.run.variants', { preset: '1', field: 'variants' }),
      flag('--apply', 'write.run.apply'),
      explainFlag,
      flag('--dry-run', 'write.run.dry-run'),
    ],
    examples: [
      'galley write run continue 3 --model cli/claude',
      'galley write run polish 3 --from "The door" --to "was empty." --apply',
      'galley write run polish 3 --paragraph 2-4 --dry-run',
    ],
    operation: 'ai:skill:run',
  },
  'write drafts': {
    about: 'write.drafts.about',
    flags: [...project, flag('--all', 'write.drafts.all')],
    examples: ['galley write drafts', 'galley write drafts --all'],
    operation: 'drafts:list',
  },
  'write draft': {
    about: 'write.draft.about',
    flags: [...project, flag('--all', 'write.drafts.all')],
    examples: ['galley write draft show 4', 'galley write draft apply 4 --parts 1,3'],
    operation: 'drafts:list',
  },
  'write draft show': {
    about: 'write.draft.show.about',
    takes: [draft],
    flags: [...project, flag('--text', 'write.draft.text')],
    examples: ['galley write draft show 4', 'galley write draft show 03-the-box-polish-4 --text'],
    operation: 'drafts:get',
  },
  'write draft apply': {
    about: 'write.draft.apply.about',
    takes: [draft],
    flags: [
      ...project,
      flag('--parts <numbers>', 'write.draft.parts', { field: 'pieces' }),
      flag('--keep-variants', 'write.draft.keep-variants'),
    ],
    examples: ['galley write draft apply 4', 'galley write draft apply 4 --parts 1,3'],
    operation: 'drafts:apply',
  },
  'write draft discard': {
    about: 'write.draft.discard.about',
    takes: [draft],
    flags: project,
    examples: ['galley write draft discard 4'],
    operation: 'drafts:discard',
  },
  'write undo': {
    about: 'write.undo.about',
    takes: [{ form: '[chapter]' }],
    flags: project,
    examples: ['galley write undo', 'galley write undo 3'],
    operation: 'drafts:undo',
  },
  'write history': {
    about: 'write.history.about',
    takes: [chapter],
    flags: project,
    examples: ['galley write history 3'],
    operation: 'documents:history',
  },
  'write snapshot': {
    about: 'write.snapshot.about',
    takes: [chapter],
    flags: [...project, flag('--name <words>', 'write.snapshot.name')],
    examples: ['galley write snapshot 3 --name "before the cut"'],
    operation: 'documents:snapshot',
  },
  'write restore': {
    about: 'write.restore.about',
    takes: [chapter, { form: '<version>' }],
    flags: project,
    examples: ['galley write restore 3 "before the cut"', 'galley write restore 3 2'],
    operation: 'documents:restore',
  },
  'write assemble': {
    about: 'write.assemble.about',
    takes: [chapter],
    flags: [...project, ...chapterContext, explainFlag],
    examples: [
      'galley write assemble 3 --explain',
      'galley write assemble chapters/03-the-box.md --cursor 400',
    ],
    operation: 'context:assemble',
  },
  'write inspect': {
    about: 'write.inspect.about',
    takes: [chapter],
    flags: [...project, ...chapterContext, flag('--text', 'write.inspect.text')],
    examples: ['galley write inspect 3', 'galley write inspect 3 --text'],
    operation: 'context:inspect',
  },
  'write judge': {
    about: 'write.judge.about',
    takes: [{ form: '<file>' }],
    flags: [
      ...project,
      flag('--chapter <n>', 'write.judge.chapter'),
      flag('--fail-on-findings', 'write.judge.fail'),
    ],
    examples: ['galley write judge chapters/03-the-box.md --fail-on-findings'],
    operation: 'constraints:judge',
  },
} as const satisfies Readonly<Record<string, CommandRow>>;
