// galley write init: says which two files it makes, and makes them: a list for constraints, and the store.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { colours } from './colours.js';
import { atDesk, print, printJson, sayWarnings, type WriteOptions } from './write-desk.js';

const listPath = '.galley/constraints.md';

const starter = `# 创作约束 · Constraints

One rule for each line. They stand in every prompt, and \`galley write judge\` checks what can be checked.

## 叙述约束 · Narrative

## 角色约束 · Characters

## 世界观约束 · World

## 风格约束 · Style

## 情节约束 · Plot
`;

export async function writeInit(options: WriteOptions & { dryRun?: boolean }): Promise<void> {
  const store = options.store ?? process.env.GALLEY_STORE ?? join('.galley', 'galley.db');
  const shown = isAbsolute(store) ? relative(process.cwd(), store) || store : store;
  const files = [
    { path: listPath, isNew: !existsSync(listPath), about: 'rules that no text may break' },
    {
      path: shown.startsWith('..') ? 'the store you named' : shown,
      isNew: !existsSync(store),
      about: 'index, memory and receipts',
    },
  ];
  if (!options.json) {
    for (const { path, isNew, about } of files) {
      const verb = isNew
        ? options.dryRun
          ? colours.yellow('would write')
          : colours.green('writes     ')
        : colours.dim('keeps      ');
      print(`  ${verb}  ${path}  ${colours.dim(about)}\n`);
    }
  }
  if (options.dryRun) {
    if (options.json) printJson({ files, written: false });
    return;
  }
  if (files[0]?.isNew) {
    await mkdir(dirname(listPath), { recursive: true });
    await writeFile(listPath, starter, { flag: 'wx' }).catch(() => undefined);
  }
  await atDesk(options, 'writes', async (desk) => {
    const followed = await desk.follow();
    if (desk.json)
      return printJson({ project: desk.project, files, written: true, chapters: followed?.chapters ?? 0 });
    sayWarnings(followed?.warnings ?? []);
    print(
      `\nProject ${colours.bold(desk.project)}: ${followed?.chapters ?? 0} chapters. Next: ${colours.cyan('galley write status')}\n`,
    );
  });
}
