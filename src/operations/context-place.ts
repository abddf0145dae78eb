// Where an assembly reads from. What shows the prompt of a run reads the files of the folder as the run does.
import type { Store } from '../store/store.js';
import { projectFolder } from '../writing/folder/project-folder.js';
import type { CheckedContextRequest } from '../writing/layers/context-request.js';
import type { OperationContext } from './operation.js';

export async function contextPlace(
  { projectId, format }: Pick<CheckedContextRequest, 'projectId' | 'format'>,
  context: OperationContext,
): Promise<{ store: Store; folder?: string | undefined }> {
  const store = await context.store();
  if (format === 'layers') return { store };
  return { store, folder: await projectFolder(store, projectId, context.folder) };
}
