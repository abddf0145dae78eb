// galley write inspect: what the model would see, layer by layer and item by item. On one's own machine debug mode needs no
// setting: the command sets it for itself and says so.

import type { ContextInspectResult, InspectedLayer } from '../../writing/context/inspect-context.js';
import { colours } from './colours.js';
import { terminalWidth, textTable } from './table.js';
import { type AssembleOptions, contextOf } from './write-assemble.js';
import { atDesk, number, print, printJson, say, sayWarnings } from './write-desk.js';

const layerNames = ['rules', 'settings', 'retrieved', 'immediate'] as const;

export async function writeInspect(
  chapter: string,
  options: AssembleOptions & { text?: boolean },
): Promise<void> {
  await atDesk(options, 'reads', async (desk) => {
    const request = await contextOf(desk, chapter, options);
    say(colours.dim('Debug mode is on for this command only: it shows texts, on your own machine.\n'));
    const result = await desk.call<ContextInspectResult>('context:inspect', request, { debug: true });
    if (desk.json) return printJson(result);
    print(`\n${colours.bold(number(result.tokenCount))} of ${number(result.budget.total)} tokens\n`);
    for (const name of layerNames) {
      const layer = result.layers[name];
      const note = layer.truncated ? colours.yellow(' · shortened') : '';
      print(`\n${colours.bold(name)}  ${number(layer.tokens)} tokens · ${layer.items.length} items${note}\n`);
      if (options.text) print(layer.text === '' ? '' : `${layer.text}\n`);
      else if (layer.items.length > 0) print(itemTable(layer));
    }
    print('\n');
    sayWarnings(result.warnings);
  });
}

function itemTable({ items }: InspectedLayer): string {
  return textTable(
    [
      { title: 'Tokens', align: 'right' },
      { title: 'Verdict' },
      { title: 'Source' },
      { title: 'Text', shrink: true },
    ],
    items.map(({ tokenCount, verdict, source, text }) => [number(tokenCount), verdict, source, text]),
    { width: terminalWidth(), indent: '  ' },
  );
}
