import { assembleContext } from '../writing/context/assemble-context.js';
import { contextRequest } from '../writing/layers/context-request.js';
import { assembledContext } from './answers/context.js';
import { contextPlace } from './context-place.js';
import { defineOperation } from './operation.js';
import { storeErrors } from './store-errors.js';

export const contextAssemble = defineOperation({
  id: 'context:assemble',
  summary:
    'Sets the context of a writing task: Rules, Settings, Retrieved, Immediate, within the budget of the project.',
  input: contextRequest,
  output: assembledContext,
  grant: 'read',
  errors: [
    ...storeErrors,
    'CONTEXT_BUDGET_INFEASIBLE',
    'CONTEXT_INPUT_TOO_LARGE',
    'CONTEXT_SCOPE_VIOLATION',
    'CONTEXT_BACKPRESSURE',
  ],
  run: async (request, context) => {
    const { signal, log } = context;
    return assembleContext(request, {
      ...(await contextPlace(request, context)),
      signal,
      log,
      embeddings: await context.embeddings?.(),
    });
  },
});
