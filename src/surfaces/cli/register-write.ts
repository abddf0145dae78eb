import type { Command } from 'commander';

export function registerWrite(program: Command): void {
  const write = program
    .enablePositionalOptions()
    .command('write')
    .enablePositionalOptions()
    .description(
      'a folder of Markdown files as a writing project: constraints, entities, memory, skills, context',
    );

  const command = (parent: Command, words: string, about: string): Command =>
    parent
      .command(words)
      .description(about)
      .option('--project <id>', "project id; the folder's name without it")
      .option('--store <file>', 'SQLite file; GALLEY_STORE or .galley/galley.db without it')
      .option('--json', 'print JSON')
      // Options behind a word of its own belong to that word.
      .enablePositionalOptions();

  command(write, 'init', 'make this folder a project: a list for constraints, and a store')
    .option('--dry-run', 'only say what would be written')
    .action(async (options) => (await import('./write-init.js')).writeInit(options));
  command(write, 'status', 'chapters, length, constraints, entities, index and budget').action(
    async (options) => (await import('./write-status.js')).writeStatus(options),
  );
  command(write, 'index', 'read what changed in the folder').action(async (options) =>
    (await import('./write-index.js')).writeIndex(options),
  );

  const constraints = command(write, 'constraints', 'rules that no text may break').action(async (options) =>
    (await import('./write-constraints.js')).writeConstraints(options),
  );
  command(constraints, 'add <text>', 'add a constraint')
    .option('--kind <kind>', 'narrative, character, world, style or plot', 'style')
    .option('--priority <n>', 'higher stands first', '0')
    .option('--pin', 'never leave it out')
    .action(async (text, options) => (await import('./write-constraints.js')).addConstraint(text, options));
  command(constraints, 'remove <id>', 'remove a constraint').action(async (id, options) =>
    (await import('./write-constraints.js')).removeConstraint(id, options),
  );

  const entities = command(write, 'entities', 'people, places and things').action(async (options) =>
    (await import('./write-entities.js')).writeEntities(options),
  );
  command(entities, 'add <name> <description>', 'add an entity, or replace the one of that name')
    .option('--alias <name...>', 'other names')
    .option('--kind <kind>', 'what it is')
    .option('--inclusion <mode>', 'always, detected, manual or never')
    .action(async (name, description, options) =>
      (await import('./write-entities.js')).addEntity(name, description, options),
    );
  command(entities, 'remove <id>', 'remove an entity').action(async (id, options) =>
    (await import('./write-entities.js')).removeEntity(id, options),
  );

  const memory = command(write, 'memory', 'what is remembered').action(async (options) =>
    (await import('./write-memory.js')).writeMemory(options),
  );
  command(memory, 'add <text>', 'remember something')
    .option('--kind <kind>', 'semantic, episodic or working', 'semantic')
    .action(async (text, options) => (await import('./write-memory.js')).addMemory(text, options));
  command(memory, 'confirm <id>', 'let something count that was learned').action(async (id, options) =>
    (await import('./write-memory.js')).changeMemory(id, 'confirm', options),
  );
  command(memory, 'remove <id>', 'forget something').action(async (id, options) =>
    (await import('./write-memory.js')).changeMemory(id, 'delete', options),
  );

  registerSkills(write, command);

  command(write, 'run <skill> <chapter>', 'have a model write: its text on stdout, what it breaks on stderr')
    .option('--select <from:to>', 'characters of the selection')
    .option('--cursor <n>', 'characters from the start, or "end"')
    .option('--ask <text>', 'what else you want to say')
    .option('--model <name>', 'model that writes; GALLEY_MODEL without it')
    .option('--judge-model <name>', 'model that judges what no check covers')
    .option('--rewrites <n>', 'how often a text that breaks constraints is written again', '1')
    .option('--budget <tokens>', "instead of the skill's own budget")
    .option('--timeout <seconds>', 'for each answer of the model', '600')
    .option('--accept', 'remember the text as an episode without asking')
    .option('--explain', 'say what was kept, what was left out, and why')
    .option('--dry-run', 'only show what would be sent')
    .action(async (skill, chapter, options) =>
      (await import('./write-run.js')).writeRun(skill, chapter, options),
    );

  command(write, 'assemble <chapter>', 'the context a model would get, on stdout')
    .option('--cursor <n>', 'characters from the start, or "end"', 'end')
    .option('--skill <id>', 'skill that runs', 'continue')
    .option('--ask <text>', 'what else you want to say')
    .option('--model <name>', 'model whose tokenizer counts')
    .option('--explain', 'say what was kept, what was left out, and why')
    .action(async (chapter, options) =>
      (await import('./write-assemble.js')).writeAssemble(chapter, options),
    );
  command(write, 'inspect <chapter>', 'what the model would see, layer by layer')
    .option('--cursor <n>', 'characters from the start, or "end"', 'end')
    .option('--skill <id>', 'skill that runs', 'continue')
    .option('--ask <text>', 'what else you want to say')
    .option('--model <name>', 'model whose tokenizer counts')
    .option('--text', 'print the texts of the layers instead of tables')
    .action(async (chapter, options) => (await import('./write-inspect.js')).writeInspect(chapter, options));
  command(write, 'judge <file>', 'check a text against the constraints')
    .option('--chapter <n>', 'place in the story; read from the title without it')
    .option('--fail-on-findings', 'exit with 1 when there are findings')
    .action(async (file, options) => (await import('./write-judge.js')).writeJudge(file, options));
}

function registerSkills(
  write: Command,
  command: (parent: Command, words: string, about: string) => Command,
): void {
  const skills = command(write, 'skills', 'skills and the context they ask for').action(async (options) =>
    (await import('./write-skills.js')).writeSkills(options),
  );
  command(skills, 'lint <path>', 'check a SKILL.md').action(async (path, options) =>
    (await import('./write-skills.js')).takeSkill(path, 'lint', options),
  );
  command(skills, 'add <path>', 'store a SKILL.md for this project').action(async (path, options) =>
    (await import('./write-skills.js')).takeSkill(path, 'put', options),
  );
  command(skills, 'show <skill> <chapter>', 'what the skill would send for a chapter')
    .option('--select <from:to>', 'characters of the selection')
    .option('--cursor <n>', 'characters from the start, or "end"')
    .option('--ask <text>', 'what else you want to say')
    .option('--model <name>', 'model whose tokenizer counts')
    .option('--budget <tokens>', "instead of the skill's own budget")
    .option('--explain', 'say what was kept, what was left out, and why')
    .action(async (skill, chapter, options) =>
      (await import('./write-skills.js')).showSkillRun(skill, chapter, options),
    );
}
