// Is there a grammar for this language? Each is loaded on first use, once per process, and only if its bytes are pinned.
// Nothing here throws: a missing or altered grammar is an answer, and the caller falls back to indentation.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { Language } from 'web-tree-sitter';
import type { Warning } from '../core/model/error.js';

export type Grammar =
  | { readonly kind: 'ready'; readonly grammar: Language }
  | { readonly kind: 'unavailable'; readonly warning: Warning };

/** Gives the bytes of a grammar file, or undefined when it is not there. */
type ReadGrammar = (folder: string) => Promise<Uint8Array | undefined>;

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
    const grammar = await runtime.Language.load(bytes);
    // What reads strings in some grammars is only ready once a text has been read: the first file was outlined unlike all later ones.
    const parser = new runtime.Parser();
    parser.setLanguage(grammar).parse('')?.delete();
    parser.delete();
    return { kind: 'ready', grammar };
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

interface GrammarPin {
  readonly folder: string;
  readonly sha256: string;
}

/** Which grammar file serves a language, and which bytes it must have. A file with other bytes is not run. */
export const grammarPins: Readonly<Record<string, GrammarPin>> = {
  bash: { folder: 'bash', sha256: '5daf3f2ac1cea01a64cfd6878ef7d247310925a4c62238eb4b8c1feb5dce355a' },
  c: { folder: 'c', sha256: '7b80a64003e8ef8cde197329ee0167e9270f67663f2e6c6ef7d67b5425998aac' },
  cpp: { folder: 'cpp', sha256: '285a0d1da90e6cdea639ddf1b925ebca567d24b68d13c418ea92f5a6b7c099dd' },
  csharp: { folder: 'c_sharp', sha256: '608208861b5cacee3805c486109e05cdfcf508988c303199cbba4628b8ed4151' },
  go: { folder: 'go', sha256: 'fd9af2da4da88b2537d4a33ce4739dd478cc5b141fdce4cdcf9a0e464b91b614' },
  java: { folder: 'java', sha256: 'e430a1a344388d6d3bc9f87144dec0d204fca37fafe5f4ab23c51060972a2ac5' },
  javascript: {
    folder: 'javascript',
    sha256: 'fc5362de9cacbfd6c6ee11e5bf144c7adbbf26ae3703eaaba916d4b0d78da76f',
  },
  kotlin: { folder: 'kotlin', sha256: '82f658c6d6e07f0c2a421ab7e1308763fffa16627c7d10e9dd9f6f9a4f9ff25a' },
  php: { folder: 'php', sha256: '01e0af450e9dae33a62a2d7a407240be883574a49edc031eb2bc4b1f22b69e55' },
  python: { folder: 'python', sha256: '2091d112a2989c54c2157a0a9a62c06d41a5ef3e40fd71f19cde7b4663bdd028' },
  ruby: { folder: 'ruby', sha256: 'db6b357418d4154402e48b497dfa9128d592cf9c559bff1ea1e3fcfe3a3b8d56' },
  rust: { folder: 'rust', sha256: 'dc7f9b4d182af6b8332b44cfb8d24c0b25892900b006af5ce7eafdef8c976d5a' },
  scala: { folder: 'scala', sha256: 'b77bab5adc8f838178ba469db065fa4a1aa250c419530e85fd2e470c080515e1' },
  swift: { folder: 'swift', sha256: '3553bb4258b20fe3514c12a6e68d990036b9446e528283ec6ab79ede8854e791' },
  tsx: { folder: 'tsx', sha256: '36d947d9f19043c1108f3f8f5cfa82c25ffd681694e76a164d8b35022ded1d40' },
  typescript: {
    folder: 'typescript',
    sha256: '78a2710a7d0f60a8c9ab92cc6e961f76cf80b3d69690140eeca8a29eba9185db',
  },
};
