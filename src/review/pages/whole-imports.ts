// A patch shows only the imports near its hunks. Where the pages will be several and the files few, the whole files are asked,
// so that what uses what is known before the pages are filled.
import type { ReviewRoom } from '../changes/review-room.js';
import { importsIn, type RelatedFile } from './relations.js';

const mostFiles = 500;
const largestFile = 200_000;

export async function withWholeImports(
  { repository, kept }: Pick<ReviewRoom, 'repository' | 'kept'>,
  files: readonly RelatedFile[],
  capacity: number,
): Promise<readonly RelatedFile[]> {
  const whole = files.reduce((sum, { weight }) => sum + weight, 0);
  if (whole <= capacity || files.length > mostFiles) return files;
  const blobs = new Map<string, string>();
  for (const { path, kind, missing, newBlob, newSize = largestFile } of kept)
    if (kind === 'file' && !missing && newBlob !== undefined && newSize < largestFile)
      blobs.set(path, newBlob);
  const asked = files.filter(({ path }) => blobs.has(path));
  const contents = await repository.objects.ask(
    'contents',
    asked.map(({ path }) => blobs.get(path)!),
  );
  const imports = new Map(
    asked.map(({ path }, at) => [path, importsIn(contents[at]?.bytes?.toString('utf8') ?? '')]),
  );
  return files.map((file) => ({
    ...file,
    imports: [...new Set([...file.imports, ...(imports.get(file.path) ?? [])])],
  }));
}
