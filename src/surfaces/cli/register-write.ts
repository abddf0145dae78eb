import type { Command, Option } from 'commander';
import { choiceOption } from './choice.js';
import { constraintKinds, inclusions, memoryKinds, promptLanguages } from './choices.js';
import { word } from './words/word.js';

export function registerWrite(write: Command): void {
  write
    .enablePositionalOptions()
    .option('--json', word('flag.json'))
    .action(async (options) => (await import('./write/status.js')).showOverview(options));

  const command = (parent: Command, words: string, about: string): Command =>
    parent
      .command(words)
      .description(about)
      .option('--project <id>', word('write.project'))
      .option('--store <file>', word('flag.store'))
      .option('--json', word('flag.json'))
      // Options behind a word of its own belong to that word.
      .enablePositionalOptions();

  command(write, 'init', word('write.init.about'))
    .option('--dry-run', word('flag.dry-run'))
    .action(async (options) => (await import('./write/init.js')).initProject(options));
  command(write, 'status', word('write.status.about')).action(async (options) =>
    (await import('./write/status.js')).showStatus(options),
  );
  command(write, 'index', word('write.index.about')).action(async (options) =>
    (await import('./write/init.js')).indexProject(options),
  );

  const constraints = command(write, 'constraints', word('write.constraints.about')).action(async (options) =>
    (await import('./write/knowledge.js')).listConstraints(options),
  );
  command(constraints, 'add <text>', word('write.constraints.add.about'))
    .addOption(
      choiceOption('--kind <kind>', {
        about: word('write.constraints.kind'),
        choices: constraintKinds,
        preset: 'style',
      }),
    )
    .option('--priority <n>', word('write.constraints.priority'), '0')
    .option('--pin', word('write.constraints.pin'))
    .action(async (text, options) => (await import('./write/knowledge.js')).addConstraint(text, options));
  command(constraints, 'remove <id>', word('write.constraints.remove.about')).action(async (id, options) =>
    (await import('./write/knowledge.js')).removeConstraint(id, options),
  );

  const entities = command(write, 'entities', word('write.entities.about')).action(async (options) =>
    (await import('./write/knowledge.js')).listEntities(options),
  );
  command(entities, 'add <name> <description>', word('write.entities.add.about'))
    .option('--alias <name...>', word('write.entities.alias'))
    .option('--kind <kind>', word('write.entities.kind'))
    .addOption(
      choiceOption('--inclusion <mode>', { about: word('write.entities.inclusion'), choices: inclusions }),
    )
    .action(async (name, description, options) =>
      (await import('./write/knowledge.js')).addEntity(name, description, options),
    );
  command(entities, 'remove <id>', word('write.entities.remove.about')).action(async (id, options) =>
    (await import('./write/knowledge.js')).removeEntity(id, options),
  );

  const memory = command(write, 'memory', word('write.memory.about')).action(async (options) =>
    (await import('./write/knowledge.js')).listMemory(options),
  );
  command(memory, 'add <text>', word('write.memory.add.about'))
    .addOption(
      choiceOption('--kind <kind>', {
        about: word('write.memory.kind'),
        choices: memoryKinds,
        preset: 'semantic',
      }),
    )
    .action(async (text, options) => (await import('./write/knowledge.js')).addMemory(text, options));
  command(memory, 'confirm <id>', word('write.memory.confirm.about')).action(async (id, options) =>
    (await import('./write/knowledge.js')).changeMemory(id, 'confirm', options),
  );
  command(memory, 'remove <id>', word('write.memory.remove.about')).action(async (id, options) =>
    (await import('./write/knowledge.js')).changeMemory(id, 'delete', options),
  );

  registerSkills(write, command);

  command(write, 'run <skill> <chapter>', word('write.run.about'))
    .option('--select <from:to>', word('write.skills.select'))
    .option('--cursor <n>', word('flag.cursor'))
    .option('--ask <text>', word('flag.ask'))
    .addOption(languageOption())
    .option('--model <name>', word('write.run.model'))
    .option('--judge-model <name>', word('write.run.judge-model'))
    .option('--rewrites <n>', word('write.run.rewrites'), '1')
    .option('--budget <tokens>', word('write.skills.budget'))
    .option('--timeout <seconds>', word('write.run.timeout'), '600')
    .option('--accept', word('write.run.accept'))
    .option('--explain', word('flag.explain'))
    .option('--dry-run', word('write.run.dry-run'))
    .action(async (skill, chapter, options) =>
      (await import('./write/skills.js')).runSkillCommand(skill, chapter, options),
    );

  command(write, 'assemble <chapter>', word('write.assemble.about'))
    .option('--cursor <n>', word('flag.cursor'), 'end')
    .option('--skill <id>', word('flag.skill'), 'continue')
    .option('--ask <text>', word('flag.ask'))
    .addOption(languageOption())
    .option('--model <name>', word('flag.model'))
    .option('--explain', word('flag.explain'))
    .action(async (chapter, options) =>
      (await import('./write/assemble.js')).assembleChapter(chapter, options),
    );
  command(write, 'inspect <chapter>', word('write.inspect.about'))
    .option('--cursor <n>', word('flag.cursor'), 'end')
    .option('--skill <id>', word('flag.skill'), 'continue')
    .option('--ask <text>', word('flag.ask'))
    .addOption(languageOption())
    .option('--model <name>', word('flag.model'))
    .option('--text', word('write.inspect.text'))
    .action(async (chapter, options) =>
      (await import('./write/assemble.js')).inspectChapter(chapter, options),
    );
  command(write, 'judge <file>', word('write.judge.about'))
    .option('--chapter <n>', word('write.judge.chapter'))
    .option('--fail-on-findings', word('write.judge.fail'))
    .action(async (file, options) => (await import('./write/judge.js')).judgeFile(file, options));
}

function languageOption(): Option {
  return choiceOption('--language <language>', {
    about: word('flag.prompt-language'),
    choices: promptLanguages,
  });
}

function registerSkills(
  write: Command,
  command: (parent: Command, words: string, about: string) => Command,
): void {
  const skills = command(write, 'skills', word('write.skills.about')).action(async (options) =>
    (await import('./write/skills.js')).listSkills(options),
  );
  command(skills, 'lint <path>', word('write.skills.lint.about')).action(async (path, options) =>
    (await import('./write/skills.js')).takeSkill(path, 'lint', options),
  );
  command(skills, 'add <path>', word('write.skills.add.about')).action(async (path, options) =>
    (await import('./write/skills.js')).takeSkill(path, 'put', options),
  );
  command(skills, 'show <skill> <chapter>', word('write.skills.show.about'))
    .option('--select <from:to>', word('write.skills.select'))
    .option('--cursor <n>', word('flag.cursor'))
    .option('--ask <text>', word('flag.ask'))
    .addOption(languageOption())
    .option('--model <name>', word('flag.model'))
    .option('--budget <tokens>', word('write.skills.budget'))
    .option('--explain', word('flag.explain'))
    .action(async (skill, chapter, options) =>
      (await import('./write/skills.js')).showSkillRun(skill, chapter, options),
    );
}
