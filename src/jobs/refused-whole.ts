// A check of a book answers with the chapters it could not read. When that is every one of them, for one reason, and nothing was
// answered, nothing came of the job: that is a failure, however complete the answer says it.
import { type ErrorCode, errorTable, GalleyError } from '../core/model/error.js';

export function refusalOfWhole(answer: unknown): GalleyError | undefined {
  const { chapters, failed, runs } = Object(answer) as Readonly<Record<string, unknown>>;
  if (typeof chapters !== 'number' || !Array.isArray(failed) || !Array.isArray(runs)) return undefined;
  const [first] = failed;
  if (first === undefined || failed.length < chapters || runs.length > 0) return undefined;
  const { code, message } = first as { readonly code: string; readonly message: string };
  if (failed.some((each) => each.code !== code) || !Object.hasOwn(errorTable, code)) return undefined;
  return new GalleyError(code as ErrorCode, message);
}
