// What Galley must do, as data. A test proves an id by carrying it in brackets at the end of its title.
// Pending ids are waiting for their proof; the list only shrinks.

export interface Requirement {
  readonly id: string;
  readonly must: string;
  readonly proof: 'test' | 'bench';
  readonly pending?: true;
}

const test = (id: string, must: string): Requirement => ({ id, must, proof: 'test' });
const bench = (id: string, must: string): Requirement => ({ id, must, proof: 'bench' });
const later = (requirement: Requirement): Requirement => ({ ...requirement, pending: true });

export const requirements: readonly Requirement[] = [
  later(test('diff.modes', 'Change sets for a pull request, the index, the working tree and one commit.')),
  later(
    test(
      'diff.config-proof',
      'The same bytes under any git configuration, environment, locale or directory.',
    ),
  ),
  later(test('diff.entries', 'Every kind of entry git knows is right, none is lost, none is invented.')),
  later(test('diff.stream', 'Diffs are streamed.')),
  later(test('prune.lists', 'Lockfiles, vendored, generated, binary and oversized files are pruned.')),
  later(test('prune.never-silent', 'Whatever is pruned is named with its reason and counts.')),
  later(test('chunk.limit', 'Diff tokens and whole chunks each have their bound.')),
  later(
    test('chunk.meter', 'Three meters by name: the rule of thumb, the tokenizer, the CJK-aware estimate.'),
  ),
  later(test('chunk.pack', 'First-fit decreasing; what belongs together shares a chunk at no extra chunk.')),
  later(test('chunk.whole-files', 'A file is whole inside one chunk unless it alone exceeds the limit.')),
  later(test('chunk.huge', 'Huge files are split into valid patches with a warning header.')),
  later(test('chunk.conserve', 'Every changed line is in a chunk, a summary or an omission.')),
  later(
    test('chunk.priority', 'The skill never yields, rules and diff are high, linter output yields first.'),
  ),
  later(test('chunk.format', 'Chunks carry the headings of the format in their order.')),
  later(test('chunk.deterministic', 'Same diff, same chunks.')),
  later(test('accept.000.1', 'Of main.go and a lockfile only main.go is sent.')),
  later(test('accept.000.2', 'A small diff is one chunk.')),
  later(
    test(
      'accept.000.3',
      'Fifty thousand tokens at a limit of 32,000 are two chunks, whole files, skill in both.',
    ),
  ),
  later(test('accept.000.4', 'The same input gives the same sequence of chunks.')),

  later(test('unit.shape', 'Units are hunks grouped by enclosing symbol with a stable id.')),
  later(test('rule.layer', 'Rules give tags, level, confidence and requests from the syntax of both sides.')),
  later(test('rule.defaults', 'Default levels by kind of change.')),
  later(test('plan.index', 'A light planner index without diff text.')),
  later(test('plan.model', 'A model plan is optional, checked, and never fatal.')),
  later(test('fuse.table', 'Confidence decides between rule and model.')),
  later(test('fuse.protect', 'High risk cannot be skipped.')),
  later(test('fuse.explain', 'Every unit keeps who won and why, replayable from JSON.')),
  later(test('bundle.shape', 'Bundles have the published shape.')),
  later(test('bundle.levels', 'Four levels from the syntax tree.')),
  later(test('bundle.requests', 'All eight request types work.')),
  later(test('bundle.once', 'No line stands in two snippets.')),
  later(test('bundle.fresh', 'Every snippet can be read again and is the same.')),
  later(test('bundle.budget', 'Units step down a level at a time, lowest risk first.')),

  later(test('layers.order', 'Rules, Settings, Retrieved, Immediate, with pinned shares and floors.')),
  later(test('layers.data', 'Layer items carry source and count; malformed ones cost only themselves.')),
  later(test('layers.empty', 'An unknown project assembles.')),
  later(test('scenarios.002', 'Every scenario of the layered specification is a test.')),
  later(test('budget.shares', 'Shares are alarm lines, floors are stop lines.')),
  later(test('budget.trim', 'Over budget: Retrieved, then Settings, then the far end of Immediate.')),
  later(test('budget.rules', 'Rules keep to their own line and never yield to others.')),
  later(test('budget.tokenizer', 'The tokenizer of the target model, or a safe estimate.')),
  later(test('budget.versioned', 'Budgets are updated under an optimistic version.')),
  later(test('budget.fallback', 'A failing tokenizer falls back with a warning.')),
  later(test('prefix.hash', 'The stable prefix has a deterministic hash and an unchanged flag.')),
  later(test('prefix.used', 'The model layer places cache markers at the breakpoints.')),
  later(test('prefix.friendly', 'Score selects, arrival orders; the start of Immediate moves in hops.')),
  later(test('constraints.crud', 'Constraints are listed, created, updated, deleted and injected.')),
  later(test('constraints.judge', 'Generated text is checked against its constraints.')),
  later(test('assemble.api', 'Request and result have the published shape on every channel.')),
  later(test('assemble.degrade', 'A failing source costs a warning.')),
  later(test('inspect.guard', 'Inspection needs debug mode and a grant.')),
  later(test('scope.isolate', 'Text of another project refuses the whole request.')),
  later(test('limits.input', 'Too large an input is refused with advice.')),
  later(test('limits.counts', 'At most 200 retrieved pieces.')),
  later(test('limits.concurrency', 'Four assemblies per document, a bounded queue, then backpressure.')),
  test('errors.closed', 'Every exception leaves with a code of the closed table.'),
  later(test('logs.digest', 'Logs hold digests and counts, never text.')),
  later(bench('perf.layers', 'Latency of assemble, budget, hash and inspect.')),
  later(test('matrix.002', 'Every row of the exception matrix has a test.')),

  test('agent.api', 'Assemblers by name with getAgentType and assemble.'),
  test('agent.seed-tests', 'Every named test of the assembler specification exists and passes.'),
  test('agent.claude', 'The Claude dialect, byte for byte.'),
  test('agent.codex', 'The Codex dialect with inline system text.'),
  test('agent.gemini', 'The Gemini dialect without brackets.'),
  test('agent.plain', 'Plain text for unknown agents.'),
  test('agent.empty', 'Empty sections are omitted; a missing recipient reads all.'),
  test('agent.bytes', 'The byte budget: oldest context first, then the end of the message.'),
  test('agent.verbatim', 'Content is not escaped; spans map bytes to messages.'),
  later(test('agent.run', 'Agents are run with the prompt on stdin, failures told apart.')),

  later(test('skill.parse', 'SKILL.md in both forms.')),
  later(test('skill.rules', 'Seven fields, checked, invalid ones named.')),
  later(test('skill.store', 'Canonical rules are kept with the skill.')),
  later(test('skill.select', 'Only what the rules ask for is injected.')),
  later(test('skill.refs', 'Injected material carries a project-relative ref.')),
  later(test('skill.chapters', 'Chapters stand in a fixed order.')),
  later(test('skill.stable', 'Same static inputs, same prefix bytes.')),
  later(test('skill.run', 'Skill runs stream, record metadata, tell cancel from timeout.')),
  later(test('skill.saving', 'Tokens saved against injecting everything are reported.')),
  later(test('skill.matrix', 'Six built-in skills with their budgets.')),
];
