// A model that says what it is told to, call by call: for tests of everything that stands around a model.
import { GalleyError } from '../core/model/error.js';
import type { Model, ModelAnswer, ModelRequest, RunOptions } from '../models/contract/model.js';

export type Line =
  | string
  | Partial<ModelAnswer>
  | ((request: ModelRequest, options: RunOptions) => Promise<string | Partial<ModelAnswer>>);

export interface ScriptedModel extends Model {
  readonly requests: readonly ModelRequest[];
}

/** The last line is said again and again when there are more calls than lines. */
export function scriptedModel(lines: readonly Line[], id = 'test/scripted'): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    id,
    family: 'replay',
    speakers: { system: 'anywhere', names: true, trimsLast: false },
    requests,
    run: async (request, options) => {
      const line = lines[Math.min(requests.length, lines.length - 1)] ?? '';
      requests.push(request);
      if (options.signal.aborted) throw new GalleyError('CANCELLED', 'The run was cancelled.');
      const said = typeof line === 'function' ? await line(request, options) : line;
      const answer = typeof said === 'string' ? { text: said } : { text: '', ...said };
      if (answer.text !== '') options.onText?.(answer.text);
      return { finish: 'stop', ...answer };
    },
  };
}
