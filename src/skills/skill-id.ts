// Under which id is a skill found? Its folder or file name when there is one, else its name; Chinese is kept.
import { invalidField } from './invalid-field.js';

const maxIdLength = 64;

export function slugOf(name: string): string {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+/, '');
  return [...words].slice(0, maxIdLength).join('').replace(/-+$/, '');
}

export function skillIdOf(name: string, path?: string): string {
  const id = slugOf(path === undefined ? name : (fileWord(path) ?? name)) || slugOf(name);
  if (id === '') throw invalidField('name', 'it needs at least one letter or digit.');
  return id;
}

function fileWord(path: string): string | undefined {
  const parts = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
  const file = parts.at(-1);
  if (file === undefined) return undefined;
  if (/^skill\.md$/i.test(file)) return parts.at(-2);
  return file.replace(/(?:\.skill)?\.(?:md|markdown)$/i, '');
}
