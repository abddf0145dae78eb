// One repository for several readers, one after another or at once: opened when first asked for, closed by who lends it.
import { openRepository, type Repository } from './open-repository.js';

export interface LentRepository {
  open(): Promise<Repository>;
  close(): Promise<void>;
}

export function lentRepository(folder: string): LentRepository {
  let opened: Promise<Repository> | undefined;
  return {
    open: () => {
      opened ??= openRepository(folder);
      return opened;
    },
    close: async () => {
      const repository = await opened?.catch(() => undefined);
      await repository?.close();
    },
  };
}
