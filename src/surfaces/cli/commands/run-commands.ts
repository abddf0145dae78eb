// Skills, what they would send, what they wrote, and the way back, as rows of the command table.
import { type CommandRow, explainFlag, type FlagRow, flag, promptLanguages } from './command-row.js';
import { chapter, project } from './write-flags.js';

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
const path: FlagRow = { form: '<path>' };
const skill: FlagRow = { form: '<skill>' };
const draft: FlagRow = { form: '<draft>' };

export const runCommands = {
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
} as const satisfies Readonly<Record<string, CommandRow>>;
