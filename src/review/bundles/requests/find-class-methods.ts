// The methods of a class by their heads: in the file that asks, or wherever the class is defined.
import { languageOf } from '../../../code/language.js';
import type { FileSide } from '../../units/changed-file.js';
import { byCloseness, sameFamily } from './closeness.js';
import { headOf, receiverOf } from './find-implementations.js';
import type { Definition } from './in-scope.js';
import type { Reference, References, RequestGround } from './request-ground.js';

const mostOpened = 20;

export async function findClassMethods(definition: Definition, ground: RequestGround): Promise<References> {
  const { name, path } = definition;
  const paths = [...new Set([path, ...ground.hits(name).map((hit) => hit.path)])]
    .filter((one) => sameFamily(languageOf(one), languageOf(path)))
    .sort(byCloseness(path));
  const files = await ground.library.open(paths.slice(0, mostOpened));
  for (const file of files.values()) {
    const own = methodsIn(file, name);
    if (own.length > 0) return { found: own, total: own.length, unchecked: 0 };
  }
  return { found: [], total: 0, unchecked: Math.max(0, paths.length - mostOpened) };
}

function methodsIn(file: FileSide, name: string): Reference[] {
  const { symbols } = file.outline;
  const owner = symbols.findIndex((symbol) => symbol.name === name && symbol.kind !== 'method');
  return symbols
    .filter(
      (symbol) =>
        (symbol.kind === 'method' && owner !== -1 && symbol.parent === owner) || receiverOf(symbol) === name,
    )
    .map((symbol) => ({ ...headOf(file, symbol), certainty: 'certain' }));
}
