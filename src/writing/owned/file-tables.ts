// People, settings, skills and the budget of an owned folder: each is a file of its own.
import { loadSkillFolder } from '../../skills/load-skill-folder.js';
import type { Store } from '../../store/store.js';
import { alreadyExists, notFound } from '../../store/tables/checked.js';
import type { EntityDraft } from '../../store/tables/entities.js';
import {
  budgetFile,
  budgetText,
  folderNumbering,
  materialPath,
  readCards,
  settingFiles,
} from '../folder/material.js';
import { changeFile } from '../folder/write-within.js';
import { cardKind } from '../told/card-file.js';
import { type CardContent, editCard, newCard } from '../told/edit-card.js';
import { findCard, newCardPath } from './card-place.js';
import { changeFolder, type Owned, readBack } from './change-folder.js';

export function ownEntities(owned: Owned): Store['entities'] {
  const { store, project, folder } = owned;
  const put = async (draft: EntityDraft, now: (id: string) => string) => {
    const named = await findNamed(folder, draft.name);
    const found = draft.id === undefined ? named : await findCard(folder, now(draft.id));
    if (named !== undefined && draft.id !== undefined && found?.id !== named.id)
      throw alreadyExists('entity', 'name');
    const content = contentOf(draft);
    const path =
      found?.id ??
      (await newCardPath(folder, { name: draft.id ?? draft.name, kind: content.kind || cardKind }));
    const place = { path, numbering: await folderNumbering(folder) };
    await changeFile(folder, path, (text) =>
      text === undefined ? newCard(content, place) : editCard(text, content, place),
    );
    return path;
  };
  return {
    ...store.entities,
    async get(asked, id) {
      const path = asked === project ? (await findCard(folder, id))?.id : undefined;
      return store.entities.get(asked, path ?? id);
    },
    async put(asked, draft) {
      if (asked !== project) return store.entities.put(asked, draft);
      const path = await changeFolder(owned, (now) => put(draft, now));
      return readBack(owned, () => store.entities.get(project, path));
    },
    async delete(asked, id) {
      if (asked !== project) return store.entities.delete(asked, id);
      await changeFolder(owned, async (now) => {
        const card = await findCard(folder, now(id));
        if (card === undefined) throw notFound('entity');
        await changeFile(folder, card.id, () => undefined);
      });
    },
  };
}

async function findNamed(folder: string, name: string) {
  return (await readCards(folder)).find((card) => card.name === name.trim());
}

function contentOf(draft: EntityDraft): CardContent {
  const { name, description, aliases = [], kind = '', inclusion = 'always' } = draft;
  const { neverTrimmed = false, facts = [], secrets = [], relations = [] } = draft;
  return { name, description, aliases, kind, inclusion, neverTrimmed, facts, secrets, relations };
}

/** Texts of other names are no files. */
export function ownSettings(owned: Owned): Store['settings'] {
  const { store, project, folder } = owned;
  const nameOf = (asked: string, key: string) =>
    asked === project ? settingFiles.find(([each]) => each === key)?.[1] : undefined;
  return {
    ...store.settings,
    async put(asked, key, text) {
      const name = nameOf(asked, key);
      if (name === undefined) return store.settings.put(asked, key, text);
      const path = await materialPath(folder, name);
      await changeFolder(owned, () =>
        changeFile(folder, path, (known) => (plain(known) === plain(text) ? known : text)),
      );
      return { key, text, updatedAt: owned.now() };
    },
    async delete(asked, key) {
      const name = nameOf(asked, key);
      if (name === undefined) return store.settings.delete(asked, key);
      const path = await materialPath(folder, name);
      await changeFolder(owned, () => changeFile(folder, path, () => undefined));
    },
  };
}

function plain(text: string | undefined): string | undefined {
  return text?.replace(/^\uFEFF/u, '').replace(/\r\n?/gu, '\n');
}

/** The version guards the store's own row; the file has the last word on what it says. */
export function ownBudgets(owned: Owned): Store['budgets'] {
  const { store, project, folder } = owned;
  return {
    ...store.budgets,
    async update(asked, expected, value) {
      const isStale = (await store.budgets.get(asked)).version !== expected;
      if (asked !== project || isStale) return store.budgets.update(asked, expected, value);
      return changeFolder(owned, async () => {
        await changeFile(folder, await materialPath(folder, budgetFile), () => budgetText(value));
        return store.budgets.update(project, expected, value);
      });
    },
  };
}

export function ownSkills(owned: Owned): Store['skills'] {
  const { store, project, folder } = owned;
  const pathOf = async (id: string) =>
    (await loadSkillFolder(folder)).skills.find((skill) => skill.id === id)?.path;
  return {
    ...store.skills,
    async put(skill) {
      if (skill.projectId !== project) return store.skills.put(skill);
      const path = (await pathOf(skill.id)) ?? `.galley/skills/${skill.id}/SKILL.md`;
      await changeFolder(owned, () =>
        changeFile(folder, path, (known) => (plain(known) === plain(skill.source) ? known : skill.source)),
      );
      return store.skills.get(skill.id, project);
    },
    async delete(id, asked) {
      const path = asked === project ? await pathOf(id) : undefined;
      if (path === undefined) return store.skills.delete(id, asked);
      await changeFolder(owned, () => changeFile(folder, path, () => undefined));
    },
  };
}
