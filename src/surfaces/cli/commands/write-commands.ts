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
  textEncodings,
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
/** Of commands that ask a model many times. */
const priced = [
  flag('--max-cost <dollars>', 'write.check.max-cost', { field: 'maxCost' }),
  flag('--timeout <seconds>', 'write.run.timeout'),
  flag('--dry-run', 'write.check.dry-run'),
];
/** Its number in the list, or words of it. */
const which: FlagRow = { form: '<which>', about: 'write.which' };
const text: FlagRow = { form: '<text>' };
const path: FlagRow = { form: '<path>' };
const skill: FlagRow = { form: '<skill>' };
const chapter: FlagRow = { form: '<chapter>' };
const personFlags = [
  flag('--alias <name...>', 'write.people.alias'),
  flag('--kind <kind>', 'write.people.kind'),
  flag('--inclusion <mode>', 'write.people.inclusion', { choices: inclusions }),
];
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
    flags: [...project, flag('--all', 'write.status.all')],
    examples: ['galley write status', 'galley write status --all'],
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
  'write constraints edit': {
    about: 'write.constraints.edit.about',
    takes: [which, { form: '[text]' }],
    flags: [
      ...project,
      flag('--kind <kind>', 'write.constraints.kind', { choices: constraintKinds }),
      flag('--priority <n>', 'write.constraints.priority'),
      flag('--pin', 'write.constraints.pin'),
      flag('--unpin', 'write.constraints.unpin'),
    ],
    examples: [
      'galley write constraints edit 3 "没有魔法，也没有神"',
      'galley write constraints edit 没有魔法 --pin',
    ],
    operation: 'constraints:update',
  },
  'write constraints remove': {
    about: 'write.constraints.remove.about',
    takes: [which],
    flags: project,
    examples: ['galley write constraints remove 3', 'galley write constraints remove 没有魔法'],
    operation: 'constraints:delete',
  },
  'write people': {
    about: 'write.people.about',
    alias: 'entities',
    flags: project,
    examples: ['galley write people', 'galley write people add 林远 "冷静的工程师"'],
    operation: 'entities:list',
  },
  'write people add': {
    about: 'write.people.add.about',
    takes: [{ form: '<name>' }, { form: '<description>' }],
    flags: [...project, ...personFlags],
    examples: ['galley write people add 林远 "冷静的工程师" --alias 老林 --inclusion always'],
    operation: 'entities:put',
  },
  'write people edit': {
    about: 'write.people.edit.about',
    takes: [{ form: '<name>' }, { form: '[description]' }],
    flags: [
      ...project,
      flag('--name <name>', 'write.people.name'),
      ...personFlags,
      flag('--remove-alias <name...>', 'write.people.remove-alias'),
    ],
    examples: [
      'galley write people edit 林远 "守夜人，左手有旧伤"',
      'galley write people edit 林远 --alias 阿远 老林',
      'galley write people edit 林远 --remove-alias 老林',
    ],
    operation: 'entities:put',
  },
  'write people show': {
    about: 'write.people.show.about',
    takes: [{ form: '<name>' }],
    flags: project,
    examples: ['galley write people show 林远'],
    operation: 'entities:get',
  },
  'write people fact': {
    about: 'write.people.fact.about',
    takes: [{ form: '<name>' }, text],
    flags: [
      ...project,
      flag('--from <chapter>', 'write.people.from'),
      flag('--until <chapter>', 'write.people.until'),
      flag('--secret', 'write.people.secret'),
      flag('--remove', 'write.people.unfact'),
    ],
    examples: [
      'galley write people fact 林远 "左手受了伤" --from 3 --until 5',
      'galley write people fact 林远 "他是卧底" --secret --until 9',
      'galley write people fact 林远 "受了伤" --remove',
      'galley write people fact 林远 2 --remove',
    ],
    operation: 'entities:put',
  },
  'write people propose': {
    about: 'write.people.propose.about',
    takes: [flag('[name...]', 'write.people.propose.name')],
    flags: [
      ...project,
      flag('--write', 'write.people.propose.write'),
      flag('--limit <n>', 'write.people.propose.limit', { preset: '30' }),
      flag('--model <name>', 'write.people.propose.model'),
      ...priced,
    ],
    examples: ['galley write people propose', 'galley write people propose 林远 --write'],
    operation: 'entities:propose',
  },
  'write people remove': {
    about: 'write.people.remove.about',
    takes: [{ form: '<name>' }],
    flags: project,
    examples: ['galley write people remove 林远'],
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
  'write memory edit': {
    about: 'write.memory.edit.about',
    takes: [which, text],
    flags: [...project, flag('--kind <kind>', 'write.memory.kind', { choices: memoryKinds })],
    examples: ['galley write memory edit 2 "动作场景用短句，不用感叹号"'],
    operation: 'memory:put',
  },
  'write memory confirm': {
    about: 'write.memory.confirm.about',
    takes: [which],
    flags: project,
    examples: ['galley write memory confirm 2'],
    operation: 'memory:confirm',
  },
  'write memory remove': {
    about: 'write.memory.remove.about',
    takes: [which],
    flags: project,
    examples: ['galley write memory remove 2', 'galley write memory remove 短句'],
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
  'write check': {
    about: 'write.check.about',
    takes: [flag('[chapter...]', 'write.check.chapter')],
    flags: [
      ...project,
      flag('--model <name>', 'write.check.model'),
      ...priced,
      flag('--all', 'write.check.all'),
      flag('--fail-on-findings', 'write.judge.fail'),
      flag('--intended <n...>', 'write.check.note'),
      flag('--why <text>', 'write.check.why'),
    ],
    examples: [
      'galley write check',
      'galley write check 3 4 --model anthropic/claude-sonnet-4-5 --max-cost 2',
      'galley write check --intended 3 --why "引用的原话"',
    ],
    operation: 'book:check',
  },
  'write intended': {
    about: 'write.intended.about',
    flags: project,
    examples: ['galley write intended', 'galley write check --intended 3'],
    operation: 'book:intended:list',
  },
  'write intended add': {
    about: 'write.intended.add.about',
    takes: [text],
    flags: [
      ...project,
      flag('--chapter <chapter>', 'write.intended.chapter'),
      flag('--rule <text>', 'write.intended.rule'),
      flag('--why <text>', 'write.check.why'),
    ],
    examples: ['galley write intended add "快跑！" --chapter 3 --why "引用的原话"'],
    operation: 'book:intended:put',
  },
  'write intended remove': {
    about: 'write.intended.remove.about',
    takes: [which],
    flags: project,
    examples: ['galley write intended remove 1', 'galley write intended remove 快跑'],
    operation: 'book:intended:delete',
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
  'write scene': {
    about: 'write.scene.about',
    takes: [chapter],
    flags: [
      flag('--pov <who>', 'write.scene.pov', { field: 'pov' }),
      flag('--place <where>', 'write.scene.place', { field: 'place' }),
      flag('--time <when>', 'write.scene.time', { field: 'time' }),
      flag('--people <who>', 'write.scene.people', { field: 'people' }),
      flag('--beat <text...>', 'write.scene.beat'),
      flag('--remove', 'write.scene.remove'),
      ...project,
    ],
    notes: ['write.scene.note'],
    examples: [
      'galley write scene 7',
      'galley write scene 7 --pov 林远 --place 老宅 --beat "他发现钥匙不见了"',
    ],
    operation: 'scenes:put',
  },
  'write summarise': {
    about: 'write.summarise.about',
    takes: [flag('[chapter...]', 'write.summarise.chapters')],
    flags: [
      flag('--model <name>', 'write.summarise.model'),
      flag('--max-cost <dollars>', 'write.check.max-cost', { field: 'maxCost' }),
      flag('--again', 'write.summarise.again'),
      flag('--by-hand', 'write.summarise.by-hand'),
      flag('--dry-run', 'write.check.dry-run'),
      ...project,
    ],
    notes: ['write.summarise.note'],
    examples: ['galley write summarise --dry-run', 'galley write summarise 7 8 --model cli/claude'],
    operation: 'book:summarise',
  },
  'write summaries': {
    about: 'write.summaries.about',
    takes: [flag('[chapter]', 'write.summaries.chapter')],
    flags: project,
    examples: ['galley write summaries', 'galley write summaries 7', 'galley write summaries book'],
    operation: 'summaries:list',
  },
  'write summaries keep': {
    about: 'write.summaries.keep.about',
    takes: [chapter],
    flags: project,
    examples: ['galley write summaries keep 7'],
    operation: 'summaries:put',
  },
  'write import': {
    about: 'write.import.about',
    takes: [{ form: '<path>' }],
    flags: [
      ...project,
      flag('--into <folder>', 'write.import.into'),
      flag('--encoding <name>', 'write.import.encoding', { choices: textEncodings }),
      flag('--yes', 'write.import.yes'),
      dryRunFlag,
    ],
    examples: ['galley write import ../my-book.txt', 'galley write import ~/export-novelcrafter.zip --yes'],
    operation: 'documents:import',
  },
  'write export': {
    about: 'write.export.about',
    takes: [{ form: '<file>' }],
    flags: [
      ...project,
      flag('--title <title>', 'write.export.title'),
      flag('--author <name>', 'write.export.author'),
      flag('--language <tag>', 'write.export.language'),
      flag('--force', 'write.export.force'),
    ],
    examples: [
      'galley write export ../my-book.epub --title "回声站" --author "林远"',
      'galley write export book.docx',
    ],
    operation: 'documents:export',
  },
  'write search': {
    about: 'write.search.about',
    takes: [{ form: '<words>' }],
    flags: [
      ...project,
      flag('--in <chapter>', 'write.search.in'),
      flag('--most <n>', 'write.search.most', { preset: '50' }),
      flag('--near <n>', 'write.search.near'),
      flag('--whole-word', 'write.search.whole-word'),
      flag('--exact', 'write.search.exact'),
    ],
    examples: ['galley write search 林远', 'galley write search "old door" --in 3 --whole-word'],
    operation: 'documents:search',
  },
} as const satisfies Readonly<Record<string, CommandRow>>;
