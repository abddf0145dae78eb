// Examples of every command, by its words. They are the same in every language.
import type { Command } from 'commander';
import { word } from './words/word.js';

const examples: Readonly<Record<string, readonly string[]>> = {
  '': ['galley', 'galley review --staged', 'galley doctor', 'galley --lang zh review --help'],
  review: [
    'galley review',
    'galley review --staged --skill review/SKILL.md',
    "galley review main..topic -- src ':!*.md'",
    'galley review --base main --max-pages 1 --budget 8000 --json',
    'galley review --commit HEAD --linter eslint:eslint.json --out pages',
    'galley review --model cli/claude --fail-level high',
  ],
  report: [
    'galley report answer.json',
    'galley report page-*.txt --base main --format sarif --fail-level high > review.sarif',
  ],
  agent: [
    'galley agent',
    'galley agent --agent codex --task "Fix the login" < conversation.jsonl | codex exec -',
    'galley agent --max-bytes 4096 --explain < conversation.json',
  ],
  'agent run': [
    'galley agent run --agent claude --message "What does this project do?" < /dev/null',
    'galley agent run --agent codex --trim hops --timeout 120 < conversation.jsonl',
  ],
  receipts: ['galley receipts', 'galley receipts --json'],
  call: [
    `echo '{"agentType":"claude","contextMessages":[],"currentMessage":"Hello"}' | galley call agents:assemble`,
  ],
  schema: [
    'galley schema',
    'galley schema agents:assemble',
    'galley schema config > .galley/config.schema.json',
  ],
  serve: [
    'galley serve',
    'galley serve --new-token --project novel --grant read --grant write',
    'galley serve --host 0.0.0.0 --tokens tokens.yaml --root /srv/repositories',
  ],
  mcp: ['galley mcp', 'galley mcp --only review agents', 'galley mcp --http --port 7310'],
  'mcp install': ['galley mcp install --client claude', 'galley mcp install --client codex --yes'],
  init: ['galley init --dry-run', 'galley init --yes'],
  doctor: ['galley doctor', 'galley doctor --json'],
  completion: [
    'source <(galley completion bash)',
    'galley completion zsh > "$fpath[1]/_galley"',
    'galley completion fish > ~/.config/fish/completions/galley.fish',
  ],
  write: ['galley write', 'galley write init', 'galley write assemble 3 --explain'],
  'write init': ['galley write init --dry-run', 'galley write init'],
  'write status': ['galley write status', 'galley write status --json'],
  'write index': ['galley write index'],
  'write constraints': ['galley write constraints', 'galley write constraints add "没有魔法" --kind world'],
  'write constraints add': [
    'galley write constraints add "没有魔法" --kind world --pin',
    'galley write constraints add "Past tense only" --kind style --priority 5',
  ],
  'write constraints remove': ['galley write constraints remove <id>'],
  'write entities': ['galley write entities', 'galley write entities add 林远 "冷静的工程师"'],
  'write entities add': ['galley write entities add 林远 "冷静的工程师" --alias 老林 --inclusion always'],
  'write entities remove': ['galley write entities remove <id>'],
  'write memory': ['galley write memory', 'galley write memory add "动作场景偏好短句"'],
  'write memory add': ['galley write memory add "动作场景偏好短句" --kind semantic'],
  'write memory confirm': ['galley write memory confirm <id>'],
  'write memory remove': ['galley write memory remove <id>'],
  'write skills': ['galley write skills', 'galley write skills show polish 3 --select 120:180'],
  'write skills lint': ['galley write skills lint .galley/skills/log-entry/SKILL.md'],
  'write skills add': ['galley write skills add my-skill/SKILL.md'],
  'write skills show': ['galley write skills show polish 3 --select 120:180 --explain'],
  'write run': [
    'galley write run continue 3 --model cli/claude',
    'galley write run polish 3 --select 120:180 --dry-run',
  ],
  'write assemble': [
    'galley write assemble 3 --explain',
    'galley write assemble chapters/03-the-box.md --cursor 400',
  ],
  'write inspect': ['galley write inspect 3', 'galley write inspect 3 --text'],
  'write judge': ['galley write judge chapters/03-the-box.md --fail-on-findings'],
};

export function addExamples(command: Command, path = ''): void {
  const lines = Object.hasOwn(examples, path) ? examples[path] : undefined;
  if (lines !== undefined)
    command.addHelpText('after', () =>
      ['', word('help.examples'), ...lines.map((line) => `  ${line}`)].join('\n'),
    );
  for (const child of command.commands) addExamples(child, `${path} ${child.name()}`.trim());
}
