// Rooms on the command line: conversations of people and agents that last.
import { type CommandRow, flag, jsonFlag, storeFlag } from './command-row.js';

const common = [storeFlag, jsonFlag];
const room = flag('<room>', 'room.room');
const speaking = [
  flag('--timeout <seconds>', 'agent.run.timeout'),
  flag('--first-byte-timeout <seconds>', 'agent.run.first-byte-timeout'),
];
const isList = true;

export const roomCommands = {
  'agent room': {
    about: 'room.about',
    flags: common,
    examples: ['galley agent room', 'galley agent room new login --agent max=claude --agent sarah=codex'],
    operation: 'agents:rooms:list',
  },
  'agent room new': {
    about: 'room.new.about',
    takes: [room],
    flags: [
      flag('--agent <name=type>', 'room.new.agent', { isList, field: 'agents' }),
      flag('--file <file>', 'room.new.file', { field: 'agents' }),
      flag('--task <text>', 'agent.task', { field: 'task' }),
      flag('--max-tokens <n>', 'room.new.max-tokens'),
      ...common,
    ],
    notes: ['room.new.form'],
    examples: [
      'galley agent room new login --agent max=claude --agent sarah=codex --task "Design the login"',
      'galley agent room new login --file agents.json',
    ],
    operation: 'agents:rooms:create',
  },
  'agent room say': {
    about: 'room.say.about',
    takes: [room, flag('<text>', 'room.say.text')],
    flags: [
      flag('--from <name>', 'room.say.from', { field: 'from' }),
      flag('--to <name>', 'room.say.to', { field: 'to' }),
      flag('--pin', 'room.say.pin'),
      flag('--rule', 'room.say.rule'),
      flag('--priority <n>', 'room.say.priority', { field: 'priority' }),
      ...common,
    ],
    examples: [
      'galley agent room say login "@max Sessions or tokens?"',
      'galley agent room say login "Never store passwords" --rule',
    ],
    operation: 'agents:rooms:say',
  },
  'agent room run': {
    about: 'room.run.about',
    takes: [room, flag('[agent]', 'room.run.agent')],
    flags: [...speaking, ...common],
    examples: ['galley agent room run login', 'galley agent room run login sarah --timeout 120'],
    operation: 'agents:rooms:run',
  },
  'agent room show': {
    about: 'room.show.about',
    takes: [room],
    flags: [flag('--last <n>', 'room.show.last'), ...common],
    examples: ['galley agent room show login', 'galley agent room show login --last 20'],
    operation: 'agents:rooms:get',
  },
  'agent room list': {
    about: 'room.about',
    flags: common,
    examples: ['galley agent room list'],
    operation: 'agents:rooms:list',
  },
  'agent room close': {
    about: 'room.close.about',
    takes: [room],
    flags: common,
    examples: ['galley agent room close login'],
    operation: 'agents:rooms:close',
  },
  'agent room compact': {
    about: 'room.compact.about',
    takes: [room],
    flags: [
      flag('--first <n>', 'room.compact.first', { field: 'first' }),
      flag('--last <n>', 'room.compact.last', { field: 'last' }),
      flag('--keep <n>', 'room.compact.keep', { field: 'keep' }),
      flag('--text <text>', 'room.compact.text', { field: 'text' }),
      flag('--from <name>', 'room.say.from', { field: 'from' }),
      flag('--agent <name>', 'room.compact.agent', { field: 'agent' }),
      ...speaking,
      ...common,
    ],
    examples: [
      'galley agent room compact login --keep 20',
      'galley agent room compact login --first 1 --last 40 --text "We chose sessions."',
    ],
    operation: 'agents:rooms:compact',
  },
  'agent room expand': {
    about: 'room.expand.about',
    takes: [room, flag('[summary]', 'room.expand.summary')],
    flags: common,
    examples: ['galley agent room expand login', 'galley agent room expand login 41'],
    operation: 'agents:rooms:expand',
  },
} as const satisfies Record<string, CommandRow>;
