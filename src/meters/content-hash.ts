// The press's hash port: SHA-256 of the UTF-8 bytes, lowercase hexadecimal. Node has a fast one; it is asked for rather than
// imported, so that the assemblers also bundle for a browser.
import type { Hash } from '../core/model/ports.js';
import { sha256 } from './sha-256.js';

const { process: node }: { readonly process?: Partial<NodeJS.Process> } = globalThis;
const fast = node?.getBuiltinModule?.('node:crypto').hash;

export const hashText: Hash = fast === undefined ? sha256 : (text) => fast('sha256', text, 'hex');
