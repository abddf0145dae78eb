// Promises that are open where the writer is: set up by now, and not paid yet. What a later chapter sets up has not been promised here,
// and what a later chapter pays is still owed. The oldest stay longest: of the newest the text at hand still speaks.
import type { Fragment } from '../../core/model/fragment.js';
import { type LayerBody, layerFragment, soundRows, textOf } from '../layers/layer-fragment.js';
import type { ReadLayer } from '../layers/layer-source.js';
import { laterThan } from '../layers/scene.js';
import { chapterCalled, readPromises } from '../promises/ledger.js';
import { untold } from '../story/story-time.js';

/** Below the story so far and recent summaries, above every passage. */
const promiseRank = 1;
/** A ledger is longer than what a scene can keep in mind. */
const mostShown = 24;

export const readOpenPromises: ReadLayer = async ({ store, scene, note, leave }) => {
  const { project, entries = [], tellsSecret } = scene;
  const isLater = laterThan(scene);
  const orders = new Map(entries.map(({ id, order }) => [id, order]));
  const rows = (await readPromises(store, project)).map((row) => ({
    ...row,
    setUp: chapterCalled(entries, row.chapter),
    payment: chapterCalled(entries, row.paidIn),
  }));
  const owed = rows.filter(({ state, payment }) => state === 'open' || isLater(payment));
  const inOrder = owed.sort(
    (left, right) => (orders.get(left.setUp?.id ?? '') ?? 0) - (orders.get(right.setUp?.id ?? '') ?? 0),
  );
  const fragments = soundRows(inOrder, 'promises', {
    note,
    read: ({ id, text: said, setUp }, position): Fragment<LayerBody> | undefined => {
      const text = textOf(said);
      const draft = { id: `promise:${id}`, source: 'promises' };
      const why = isLater(setUp) ? 'later' : tellsSecret?.(text) ? 'secret' : undefined;
      if (why !== undefined) {
        leave?.(untold(draft, why));
        return undefined;
      }
      return layerFragment(project, {
        ...draft,
        layer: 'retrieved',
        section: 'promises',
        rank: promiseRank + (inOrder.length - position) / 10_000,
        position,
        body: { kind: 'note', text },
      });
    },
  });
  return fragments.slice(0, mostShown);
};
