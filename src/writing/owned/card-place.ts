// Where the card of somebody is, and where a new one goes: into the folder that writers see, if there is one.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entity } from '../../store/tables/entities.js';
import { foldersIn, readCards, visibleCardFolders } from '../folder/material.js';

/** By its path, its name, or the name of its file. */
export async function findCard(folder: string, words: string): Promise<Entity | undefined> {
  const cards = await readCards(folder);
  const byFile = ({ id }: Entity) => fileWord(id) === safeName(words);
  return (
    cards.find(({ id }) => id === words) ?? cards.find(({ name }) => name === words) ?? cards.find(byFile)
  );
}

interface NewCard {
  readonly name: string;
  readonly kind: string;
}

export async function newCardPath(folder: string, { name, kind }: NewCard): Promise<string> {
  return freePath(folder, await placeForCard(folder, { name, kind }), safeName(name));
}

/** Behind the card that stands there, which is read first. */
export function secondCardPath(folder: string, path: string): Promise<string> {
  return freePath(folder, path.slice(0, path.lastIndexOf('/')), fileWord(path));
}

async function freePath(folder: string, place: string, word: string): Promise<string> {
  const names: string[] = await readdir(join(folder, place)).catch(() => []);
  const taken = new Set(names.map((each) => each.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const file = number === 1 ? `${word}.md` : `${word}_${number}.md`;
    if (!taken.has(file.toLowerCase())) return `${place}/${file}`;
  }
}

async function placeForCard(folder: string, { name, kind }: NewCard): Promise<string> {
  const visible = await visibleCardFolders(folder);
  const isChinese = /\p{sc=Han}/u.test(name);
  const place = visible.find((each) => /\p{sc=Han}/u.test(each) === isChinese) ?? visible[0];
  if (place === undefined) return '.galley/characters';
  const within = (await foldersIn(join(folder, place))).find((each) => each === kind);
  return within === undefined ? place : `${place}/${within}`;
}

/** As a file may be called on every system. */
function safeName(words: string): string {
  const kept = [...words.replace(/[\p{C}/\\:*?"<>|]+/gu, '-').replace(/^[.\s]+|[.\s]+$/gu, '')];
  return kept.slice(0, 60).join('') || 'card';
}

function fileWord(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.(md|markdown|txt)$/i, '');
}
