// galley write scene: the card of a chapter's scene, shown, changed or taken away.
import { GalleyError } from '../../../core/model/error.js';
import { colours } from '../terminal/colours.js';
import { print, printJson, sayWarnings } from '../terminal/talk.js';
import { word } from '../words/word.js';
import { findChapter } from './chapter.js';
import { type WriteOptions, withWriteProject } from './write-project.js';

interface SceneOptions extends WriteOptions {
  readonly pov?: string;
  readonly place?: string;
  readonly time?: string;
  readonly people?: string;
  readonly beat?: readonly string[];
  readonly remove?: boolean;
}

export async function sceneCard(words: string, options: SceneOptions): Promise<void> {
  const { pov, place, time, people, beat, remove } = options;
  const given = {
    pov,
    place,
    time,
    people,
    ...(beat === undefined || beat.length === 0 ? {} : { beats: beat }),
  };
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const isChange = remove === true || Object.keys(fields).length > 0;
  await withWriteProject(options, isChange ? 'works-on-chapters' : 'reads', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const { documentId, title } = await findChapter(project, words);
    const { scenes } = await project.call('scenes:list');
    const card = scenes.find((each) => each.documentId === documentId);
    if (remove === true) {
      if (card === undefined) throw new GalleyError('NOT_FOUND', 'This chapter has no scene card.');
      const answer = await project.call('scenes:delete', { documentId });
      return project.json ? printJson(answer) : print(`${word('write.scene.gone', { title })}\n`);
    }
    if (isChange) {
      const answer = await project.call('scenes:put', { documentId, ...fields });
      return project.json ? printJson(answer) : print(answer.text);
    }
    if (project.json) return printJson({ scenes: card === undefined ? [] : [card] });
    const command = colours.cyan(`galley write scene ${words} --pov … --place … --beat "…"`);
    print(
      card === undefined ? `${word('write.scene.none', { title, command })}\n` : `${card.text.trimEnd()}\n`,
    );
  });
}
