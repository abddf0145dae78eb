// The press's hash port on this platform: SHA-256 of the UTF-8 bytes, lowercase hexadecimal.
import { hash } from 'node:crypto';
import type { Hash } from '../core/model/ports.js';

export const hashText: Hash = (text) => hash('sha256', text, 'hex');
