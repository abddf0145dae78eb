// What a writer tells of a book: rules, people, memory and promises, as rows of the command table.
import { type CommandRow, constraintKinds, flag, inclusions, memoryKinds } from './command-row.js';
import { priced, project, text, which } from './write-flags.js';

const personFlags = [
  flag('--alias <name...>', 'write.people.alias'),
  flag('--kind <kind>', 'write.people.kind'),
  flag('--inclusion <mode>', 'write.people.inclusion', { choices: inclusions }),
];

export const toldCommands = {
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
  'write promises': {
    about: 'write.promises.about',
    flags: [
      ...project,
      flag('--all', 'write.promises.all'),
      flag('--forgotten-after <chapters>', 'write.promises.after', {
        preset: '10',
        field: 'forgottenAfter',
      }),
    ],
    notes: ['write.promises.note'],
    examples: ['galley write promises', 'galley write promises add "银钥匙开哪扇门" --chapter 3'],
    operation: 'promises:list',
  },
  'write promises add': {
    about: 'write.promises.add.about',
    takes: [text],
    flags: [...project, flag('--chapter <chapter>', 'write.promises.chapter', { field: 'chapter' })],
    examples: ['galley write promises add "银钥匙开哪扇门" --chapter 3'],
    operation: 'promises:add',
  },
  'write promises paid': {
    about: 'write.promises.paid.about',
    takes: [which],
    flags: [...project, flag('--chapter <chapter>', 'write.promises.paid-in', { field: 'chapter' })],
    examples: ['galley write promises paid 2 --chapter 19', 'galley write promises paid 银钥匙'],
    operation: 'promises:pay',
  },
  'write promises edit': {
    about: 'write.promises.edit.about',
    takes: [which, { form: '[text]' }],
    flags: [
      ...project,
      flag('--chapter <chapter>', 'write.promises.chapter', { field: 'chapter' }),
      flag('--open', 'write.promises.open'),
    ],
    examples: [
      'galley write promises edit 2 "银钥匙能开塔顶的门"',
      'galley write promises edit 银钥匙 --open',
    ],
    operation: 'promises:update',
  },
  'write promises remove': {
    about: 'write.promises.remove.about',
    takes: [which],
    flags: project,
    examples: ['galley write promises remove 2'],
    operation: 'promises:remove',
  },
  'write promises propose': {
    about: 'write.promises.propose.about',
    takes: [flag('[chapter...]', 'write.promises.propose.chapter')],
    flags: [
      ...project,
      flag('--add <n...>', 'write.promises.propose.add'),
      flag('--model <name>', 'write.promises.propose.model'),
      ...priced,
    ],
    notes: ['write.promises.propose.note'],
    examples: [
      'galley write promises propose --model anthropic/claude-sonnet-4-5 --dry-run',
      'galley write promises propose 1 2 3 --model anthropic/claude-sonnet-4-5 --max-cost 1',
      'galley write promises propose --model anthropic/claude-sonnet-4-5 --add 1 4',
    ],
    operation: 'promises:propose',
  },
} as const satisfies Readonly<Record<string, CommandRow>>;
