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

export const requirements: readonly Requirement[] = [
  test('diff.modes', 'Change sets for a pull request, the index, the working tree and one commit.'),
  test('diff.config-proof', 'The same bytes under any git configuration, environment, locale or directory.'),
  test('diff.entries', 'Every kind of entry git knows is right, none is lost, none is invented.'),
  test('diff.stream', 'Diffs are streamed.'),
  test('prune.lists', 'Lockfiles, vendored, generated, binary and oversized files are pruned.'),
  test('prune.never-silent', 'Whatever is pruned is named with its reason and counts.'),
  test('chunk.limit', 'Diff tokens and whole chunks each have their bound.'),
  test('chunk.meter', 'Three meters by name: the rule of thumb, the tokenizer, the CJK-aware estimate.'),
  test('chunk.pack', 'First-fit decreasing; what belongs together shares a chunk at no extra chunk.'),
  test('chunk.whole-files', 'A file is whole inside one chunk unless it alone exceeds the limit.'),
  test('chunk.huge', 'Huge files are split into valid patches with a warning header.'),
  test('chunk.conserve', 'Every changed line is in a chunk, a summary or an omission.'),
  test('chunk.priority', 'The skill never yields, rules and diff are high, linter output yields first.'),
  test('chunk.format', 'Chunks carry the headings of the format in their order.'),
  test('chunk.deterministic', 'Same diff, same chunks.'),
  test('accept.000.1', 'Of main.go and a lockfile only main.go is sent.'),
  test('accept.000.2', 'A small diff is one chunk.'),
  test(
    'accept.000.3',
    'Fifty thousand tokens at a limit of 32,000 are two chunks, whole files, skill in both.',
  ),
  test('accept.000.4', 'The same input gives the same sequence of chunks.'),

  test('unit.shape', 'Units are hunks grouped by enclosing symbol with a stable id.'),
  test('rule.layer', 'Rules give tags, level, confidence and requests from the syntax of both sides.'),
  test('rule.defaults', 'Default levels by kind of change.'),
  test('plan.index', 'A light planner index without diff text.'),
  test('plan.model', 'A model plan is optional, checked, and never fatal.'),
  test('fuse.table', 'Confidence decides between rule and model.'),
  test('fuse.protect', 'High risk cannot be skipped.'),
  test('fuse.explain', 'Every unit keeps who won and why, replayable from JSON.'),
  test('bundle.shape', 'Bundles have the published shape.'),
  test('bundle.levels', 'Four levels from the syntax tree.'),
  test('bundle.requests', 'All eight request types work.'),
  test('bundle.once', 'No line stands in two snippets.'),
  test('bundle.fresh', 'Every snippet can be read again and is the same.'),
  test('bundle.budget', 'Units step down a level at a time, lowest risk first.'),

  test('layers.order', 'Rules, Settings, Retrieved, Immediate, with pinned shares and floors.'),
  test('layers.data', 'Layer items carry source and count; malformed ones cost only themselves.'),
  test('layers.empty', 'An unknown project assembles.'),
  test('scenarios.002', 'Every scenario of the layered specification is a test.'),
  test('budget.shares', 'Shares are alarm lines, floors are stop lines.'),
  test('budget.trim', 'Over budget: Retrieved, then Settings, then the far end of Immediate.'),
  test('budget.rules', 'Rules keep to their own line and never yield to others.'),
  test('budget.tokenizer', 'The tokenizer of the target model, or a safe estimate.'),
  test('budget.versioned', 'Budgets are updated under an optimistic version.'),
  test('budget.fallback', 'A failing tokenizer falls back with a warning.'),
  test('prefix.hash', 'The stable prefix has a deterministic hash and an unchanged flag.'),
  test('prefix.used', 'The model layer places cache markers at the breakpoints.'),
  test('prefix.friendly', 'Score selects, arrival orders; the start of Immediate moves in hops.'),
  test('constraints.crud', 'Constraints are listed, created, updated, deleted and injected.'),
  test('constraints.judge', 'Generated text is checked against its constraints.'),
  test('assemble.api', 'Request and result have the published shape on every channel.'),
  test('assemble.warm', 'What is remembered between assemblies never shows, whoever writes to the store.'),
  test('assemble.degrade', 'A failing source costs a warning.'),
  test('inspect.guard', 'Inspection needs debug mode and a grant.'),
  test('scope.isolate', 'Text of another project refuses the whole request.'),
  test('limits.input', 'Too large an input is refused with advice.'),
  test('limits.counts', 'At most 200 retrieved pieces.'),
  test('limits.concurrency', 'Four assemblies per document, a bounded queue, then backpressure.'),
  test('errors.closed', 'Every exception leaves with a code of the closed table.'),
  test('logs.digest', 'Logs hold digests and counts, never text.'),
  bench('perf.layers', 'Latency of assemble, budget, hash and inspect.'),
  test('matrix.002', 'Every row of the exception matrix has a test.'),

  test('agent.api', 'Assemblers by name with getAgentType and assemble.'),
  test('agent.seed-tests', 'Every named test of the assembler specification exists and passes.'),
  test('agent.claude', 'The Claude dialect, byte for byte.'),
  test('agent.codex', 'The Codex dialect with inline system text.'),
  test('agent.gemini', 'The Gemini dialect without brackets.'),
  test('agent.plain', 'Plain text for unknown agents.'),
  test('agent.empty', 'Empty sections are omitted; a missing recipient reads all.'),
  test('code.find', 'A task in words finds its code within a budget, with reasons and a receipt.'),
  test('agent.bytes', 'The byte budget: oldest context first, then the end of the message.'),
  test('agent.verbatim', 'Content is not escaped; spans map bytes to messages.'),
  test('agent.run', 'Agents are run with the prompt on stdin, failures told apart.'),

  test('wire.same', 'What a model receives from us is the sealed prompt, byte for byte, for every call.'),
  test(
    'wire.sealed',
    "A receipt's id is the hash of its body wherever it is read; older ones are unverified.",
  ),
  test(
    'wire.window',
    'Nothing is sent beyond the budget, or beyond the window of the model less its answer.',
  ),
  test('wire.fence', 'Text from outside stands in a fence it cannot close; hidden characters are shown.'),
  test('review.context', 'A page carries the context its units need, no line twice.'),
  test('review.intent', 'Title, description and commit subjects reach the reviewer, fenced.'),
  test(
    'review.asks',
    'A reviewer that asks is served from the repository, in its conversation, within limits.',
  ),
  test(
    'review.verify',
    'Findings are looked at again on request; what is refuted is held, never lost, fails nothing.',
  ),
  test('shipped.same', 'The packed, installed program does what the sources do.'),

  test('skill.parse', 'SKILL.md in both forms.'),
  test('skill.rules', 'Seven fields, checked, invalid ones named.'),
  test('skill.store', 'Canonical rules are kept with the skill.'),
  test(
    'skill.context',
    'A skill gets what is always there, what it declares and what its recipe brings; one text everywhere.',
  ),
  test(
    'rules.kept',
    'What the writer wrote or pinned never goes; the people of the scene come before others.',
  ),
  test('skill.select', 'Only what the rules ask for is injected.'),
  test('skill.refs', 'Injected material carries a project-relative ref.'),
  test('skill.chapters', 'Chapters stand in a fixed order.'),
  test('skill.stable', 'Same static inputs, same prefix bytes.'),
  test('skill.run', 'Skill runs stream, record metadata, tell cancel from timeout.'),
  test('skill.saving', 'Tokens saved against injecting everything are reported.'),
  test('skill.matrix', 'Six built-in skills with their budgets.'),

  test('story.so-far', 'What happened before reaches the prompt, bound to the chapters it tells.'),
  test('story.time', 'What comes later in the story stays out unless it is asked for.'),
];
