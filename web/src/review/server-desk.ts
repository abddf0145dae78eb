// The review as the server answers it.
import { sheetOf } from '../../../src/surfaces/page/saved-review.js';
import { CallRefused, call, stream } from '../shell/call.js';
import { project } from '../shell/start.js';
import { language } from '../shell/words/word.js';
import { readChanges } from './changes-ahead.js';
import type { ReviewDesk } from './desk.js';
import { wishFor } from './run-wish.js';

export const serverDesk: ReviewDesk = {
  changes: (change) => readChanges(change),
  sheet: async (change, { model = project.value.model, look }) => {
    const named = { ...(model ? { model } : {}), ...(look === undefined ? {} : { look }) };
    return sheetOf(await call('review:inspect', { ...change, ...named }));
  },
  plan: (change) => call('review:plan', change),
  diff: async (change, wish) => (await call('review:diff', { ...change, ...wish })).files,
  report: async (change, format, json) =>
    (await call('review:report', { ...change, format, report: json, language: language.value })).report,
  acts: {
    get model() {
      return project.value.model;
    },
    async run(change, { model, signal, onProgress }) {
      const asked = {
        ...{ ...change, ...wishFor(change), format: 'json' },
        ...(model ? { model } : {}),
        ...findingLanguage(),
      };
      const answer = await stream('review:run', asked, {
        signal,
        onProgress: ({ done, total = 0, pages = [] }) => onProgress({ done, total, pages }),
      });
      if (answer.dryRun) throw new TypeError('A run was asked for.');
      // The run is in the history of the project now.
      project.value = { ...project.value, hasStore: true };
      return answer;
    },
    async exempt(finding, remove) {
      await call('review:exempt', { findings: [finding], remove });
    },
    apply: (request) => call('review:apply', request),
    pull: async () => {
      try {
        return await call('forge:status', {});
      } catch (error) {
        if (error instanceof CallRefused) return undefined;
        throw error;
      }
    },
    post: (report, dryRun) => call('forge:post', { report, dryRun, language: language.value }),
  },
};

/** People who read Chinese get Chinese findings. */
const findingLanguage = () => (language.value === 'zh' ? { language: 'Simplified Chinese' } : {});
