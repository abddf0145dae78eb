import { checkMayInspect, inspectContext } from '../writing/context/inspect-context.js';
import { contextRequest } from '../writing/layers/context-request.js';
import { inspectedContext } from './answers/context.js';
import { contextPlace } from './context-place.js';
import { defineOperation } from './operation.js';
import { storeErrors } from './store-errors.js';

export const contextInspect = defineOperation({
  id: 'context:inspect',
  summary: 'Shows every layer of a context with its text and tokens; debug mode and authorised callers only.',
  input: contextRequest,
  // The grant "inspect" is checked inside, so that the refusal has the code callers know.
  output: inspectedContext,
  grant: 'read',
  errors: [
    ...storeErrors,
    'CONTEXT_INSPECT_FORBIDDEN',
    'CONTEXT_BUDGET_INFEASIBLE',
    'CONTEXT_INPUT_TOO_LARGE',
    'CONTEXT_SCOPE_VIOLATION',
    'CONTEXT_BACKPRESSURE',
  ],
  run: async (request, context) => {
    const { signal, log, debug, grants } = context;
    checkMayInspect({ debug, authorised: grants.has('inspect') });
    return inspectContext(request, {
      ...(await contextPlace(request, context)),
      signal,
      log,
      embeddings: await context.embeddings?.(),
    });
  },
});
