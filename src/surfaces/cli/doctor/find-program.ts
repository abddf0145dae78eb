// Which of these programs is on the PATH? Only its name leaves this file.
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

export async function findProgram(
  names: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  for (const name of names) {
    const places = isAbsolute(name)
      ? [name]
      : folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending)));
    for (const place of places) {
      if (
        await access(place, constants.X_OK).then(
          () => true,
          () => false,
        )
      )
        return name;
    }
  }
  return undefined;
}
