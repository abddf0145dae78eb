// galley write inspect: what the model would see, layer by layer and item by item. On one's own machine debug mode needs no
// setting: the command sets it for itself and says so.

import type { ContextInspectResult, InspectedLayer } from '../../writing/context/inspect-context.js';
import { colours } from './colours.js';
import { grouped } from './grouped-number.js';
import { layerWords } from './layer-words.js';
import { terminalWidth, textTable } from './table.js';
import { counted, factWords, word } from './words/word.js';
import { type AssembleOptions, contextOf, tokensOf } from './write-assemble.js';
import { atDesk, print, printJson, say, sayWarnings } from './write-desk.js';

const layerNames = ['rules', 'settings', 'retrieved', 'immediate'] as const;

const present: ReadonlySet<string> = new Set(['kept', 'stepped-down', 'cut', 'refilled']);
/** Of what is left out of a layer. */
const mostLeft = 5;

export async function writeInspect(
  chapter: string,
  options: AssembleOptions & { text?: boolean },
): Promise<void> {
  await atDesk(options, 'reads', async (desk) => {
    const request = await contextOf(desk, chapter, options);
    say(colours.dim(`${word('write.debug')}\n`));
    const result = await desk.call<ContextInspectResult>('context:inspect', request, { debug: true });
    if (desk.json) return printJson(result);
    print(`\n${tokensOf(result)}\n`);
    for (const name of layerNames) {
      const layer = result.layers[name];
      const note = layer.truncated ? colours.yellow(word('write.shortened')) : '';
      const items = counted(layer.items.length, 'item');
      const about = word('write.layer', { tokens: grouped(layer.tokens), items });
      print(`\n${colours.bold(layerWords(name))}  ${about}${note}\n`);
      if (options.text) print(layer.text === '' ? '' : `${layer.text}\n`);
      else if (layer.items.length > 0) print(itemTable(layer));
    }
    print('\n');
    sayWarnings(result.warnings);
  });
}

/** Everything that is in, and of what is left out as much as shows what kind it is. */
function itemTable({ items }: InspectedLayer): string {
  const left = items.filter(({ verdict }) => !present.has(verdict));
  const unlisted = new Set(left.slice(mostLeft));
  const table = textTable(
    [
      { title: word('write.col.tokens'), align: 'right' },
      { title: word('write.col.verdict') },
      { title: word('write.col.source') },
      { title: word('write.col.text'), shrink: true },
    ],
    items
      .filter((item) => !unlisted.has(item))
      .map(({ tokenCount, verdict, source, text }) => [
        grouped(tokenCount),
        factWords(`verdict.${verdict}`, verdict),
        factWords(`source.${source}`, source),
        text,
      ]),
    { width: terminalWidth(), indent: '  ' },
  );
  if (unlisted.size === 0) return table;
  return `${table}${colours.dim(`  ${word('write.more-left', { n: unlisted.size })}`)}\n`;
}
