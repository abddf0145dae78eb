// Is there a grammar for this language? Each is loaded on first use, once per process, and only if its bytes are pinned.
// Nothing here throws: a missing or altered grammar is an answer, and the caller falls back to indentation.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { Language } from 'web-tree-sitter';
import type { Warning } from '../core/model/warning.js';
import { grammarPins } from './grammar-pins.js';

export type Grammar =
  | { readonly kind: 'ready'; readonly grammar: Language }
  | { readonly kind: 'unavailable'; readonly warning: Warning };

/** Gives the bytes of a grammar file, or undefined when it is not there. */
export type ReadGrammar = (folder: string) => Promise<Uint8Array | undefined>;

export function grammarLoader(read: ReadGrammar): (language: string) => Promise<Grammar | undefined> {
  const loaded = new Map<string, Promise<Grammar>>();
  return async (language) => {
    if (!Object.hasOwn(grammarPins, language)) return undefined;
    let grammar = loaded.get(language);
    if (grammar === undefined) {
      grammar = load(language, read);
      loaded.set(language, grammar);
    }
    return grammar;
  };
}

export const loadGrammar = grammarLoader(readInstalled);

async function load(language: string, read: ReadGrammar): Promise<Grammar> {
  const pin = grammarPins[language]!;
  try {
    const bytes = await read(pin.folder);
    if (bytes === undefined) {
      return unavailable('GRAMMAR_MISSING', language, 'is not there; reinstall Galley');
    }
    if (createHash('sha256').update(bytes).digest('hex') !== pin.sha256) {
      return unavailable('GRAMMAR_MISMATCH', language, 'differs from its pinned hash; reinstall Galley');
    }
    const runtime = await import('web-tree-sitter');
    await runtime.Parser.init();
    return { kind: 'ready', grammar: await runtime.Language.load(bytes) };
  } catch {
    return unavailable('GRAMMAR_UNUSABLE', language, 'could not be loaded; reinstall Galley');
  }
}

function unavailable(code: string, language: string, reason: string): Grammar {
  const message = `The grammar for ${language} ${reason}. Outlines of it follow indentation meanwhile.`;
  return { kind: 'unavailable', warning: { code, message, details: { language } } };
}

const unpack = promisify(brotliDecompress);

/** Beside the built program, packed; in a checkout, in the package the build takes it from. */
async function readInstalled(folder: string): Promise<Uint8Array | undefined> {
  try {
    return await unpack(await readFile(new URL(`grammars/${folder}.wasm.br`, import.meta.url)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  let file: string;
  try {
    file = createRequire(import.meta.url).resolve(`tree-sitter-wasm/${folder}/tree-sitter-${folder}.wasm`);
  } catch {
    return undefined;
  }
  return readFile(file);
}
