// A transport changes no byte of a request. What it could not pass on as it is, it refuses before anything is sent.
import { GalleyError } from '../core/model/error.js';
import type { Model, ModelRequest } from './model.js';
import { needsOf } from './placement.js';

export function checkRequest(model: Model, { system = '', prompt }: ModelRequest): void {
  const refuse = (field: 'prompt' | 'system', says: string) =>
    new GalleyError('INVALID_ARGUMENT', `${field}: ${says}.`, { details: { field } });
  if (prompt.trim() === '') throw refuse('prompt', 'has no words in it');
  if (system !== '' && system.trim() === '') throw refuse('system', 'has no words in it; leave it out');
  const { systemInPrompt, leadingLine } = needsOf(model, { system, prompt });
  if (systemInPrompt)
    throw refuse('system', `would not reach ${model.id} as it is; put it at the beginning of the prompt`);
  if (leadingLine)
    throw refuse('prompt', `begins with what ${model.id} takes for a command; begin with an empty line`);
}
