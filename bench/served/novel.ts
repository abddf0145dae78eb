// A novel of forty chapters on a server, with what an assembly gathers, and assemblies at its many places.
import { post } from './served.js';

export const chapters = 40;

interface NovelPlace {
  readonly projectId: string;
  readonly token?: string | undefined;
}

export async function fillNovel(address: string, { projectId, token }: NovelPlace): Promise<void> {
  const put = (id: string, body: object) => post(address, id, { projectId, ...body }, token);
  const people = Array.from({ length: 20 }, (_, n) => `人物${n}`);
  for (const [n, name] of people.entries()) {
    await put('entities:put', { name, description: `${name}住在第${n}层，话不多。` });
    await put('constraints:create', { text: `第${n}条：不写梦。`, kind: 'style' });
  }
  for (let chapter = 0; chapter < chapters; chapter += 1) {
    const lines = Array.from(
      { length: 60 },
      (_, n) => `第${chapter}章第${n}句，${people[(chapter + n) % people.length]}走过长廊，听见水声。`,
    );
    await put('documents:put', { documentId: `ch${chapter}`, order: chapter, text: lines.join('\n') });
  }
}

export const assemblyOf = (projectId: string, n: number) => ({
  projectId,
  documentId: `ch${n % chapters}`,
  cursorPosition: 200 + ((n * 37) % 900),
  skillId: 'continue',
});
