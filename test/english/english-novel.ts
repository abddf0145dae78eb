// A short English novel in a folder, with everything a project can know.
import { followFolder } from '../../src/writing/folder/follow-folder.js';
import { openWorkshop, type Workshop } from '../skills/workshop.js';

const files = {
  'chapters/01-the-ferry.md': `# Chapter 1: The Ferry

Mara found the brass key under the third plank of the ferry. It was cold, and it smelled of the river.

She did not tell her brother. Tom would have sold it before the tide turned.
`,
  'chapters/02-the-bank.md': `# Chapter 2: The Bank

Tom was waiting on the bank with his hands in his coat. Mara kept the brass key in her left hand and said nothing.

"You were long," he said. The fog came up behind him, and the bell on the far side rang twice.

She tied the ferry to the post. The rope was wet.
`,
  'chapters/03-the-tower.md': `# Chapter 3: The Tower

The brass key turned in the tower door. Behind it stood the river, upright, like glass.

Tom took a step back. Mara put out her left hand and touched it.
`,
  '.galley/constraints.md': `# Style
- [pinned] No exclamation marks.
- Past tense throughout.

# World
- There is no magic that anyone can explain.
`,
  '.galley/characters/mara.md': `# Mara Quill
alias: Mara, Mar
relations: Tom Quill (brother)

Keeper of the ferry, thirty, left-handed. Speaks little.
`,
  '.galley/characters/tom.md': `# Tom Quill
alias: Tom
kind: antagonist

Her younger brother. Owes money to the miller.
`,
  '.galley/style-guide.md': 'Short sentences. Concrete nouns. No similes in dialogue.\n',
  '.galley/preferences.md': 'Leave the weather to the end of the paragraph.\n',
  '.galley/outline.md': `## Chapter 1
Mara finds the brass key.

## Chapter 2
She hides it from Tom, who has guessed.

## Chapter 3
The key opens the tower.
`,
};

export const secondChapter = 'chapters/02-the-bank.md';

export async function openEnglishNovel(): Promise<Workshop> {
  const workshop = await openWorkshop();
  for (const [path, text] of Object.entries(files)) await workshop.write(path, text);
  const { store, folder } = workshop;
  await followFolder(store, 'novel', folder);
  await store.memory.put('novel', { id: 'm1', kind: 'semantic', text: 'Fewer adverbs.', confidence: 0.9 });
  await store.memory.put('novel', { id: 'm2', kind: 'episodic', text: 'The fog in chapter 1 ran too long.' });
  await store.memory.put('novel', { id: 'm3', kind: 'working', text: 'Tom must not see the key yet.' });
  await store.settings.put('novel', 'audience', 'Adults who read slowly.');
  await store.summaries.add('novel', {
    id: 's1',
    text: 'Chapter 2, continued: Tom waits on the bank.',
    documentId: secondChapter,
  });
  return workshop;
}
