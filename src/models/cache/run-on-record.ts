// Runs a model and says beside the answer what was foreseen and what came of it.
import type { RunRecord } from '../../core/model/run-record.js';
import type { ModelAnswer, ModelRequest, RunOptions } from '../model.js';
import type { Foresight } from './foresight.js';
import { type RunPlace, recordRun } from './record-run.js';

export interface RecordedAnswer {
  readonly answer: ModelAnswer;
  readonly record: RunRecord;
}

export async function runOnRecord(
  request: ModelRequest,
  options: RunOptions,
  place: RunPlace & { readonly foresight: Foresight },
): Promise<RecordedAnswer> {
  const outlook = await place.foresight.foresee(request);
  const { onText } = options;
  let begun = false;
  const listening = {
    ...options,
    ...(onText === undefined
      ? {}
      : {
          onText(text: string) {
            if (!begun) outlook.begun();
            begun = true;
            onText(text);
          },
        }),
  };
  const answer = await place.model.run(request, listening);
  outlook.answered(answer);
  return { answer, record: recordRun(answer, outlook.foreseen, place) };
}
