// The order of giving way for an agent's turn: the oldest context first, then the end of the current message; task and
// system text never yield.
import type { Channel, Recipe } from '../core/model/recipe.js';

/** The system text travels in a channel of its own, or stands first in the prompt. */
export function agentRecipe(systemChannel: Channel): Recipe {
  return {
    id: 'agent-turn',
    version: 1,
    overflow: 'concede',
    layers: [
      { id: 'system', manner: 'all' },
      { id: 'task', manner: 'all' },
      { id: 'context', manner: 'newest', turn: 1 },
      { id: 'message', manner: 'head', turn: 2 },
    ],
    sections: [
      { id: 'system', channel: systemChannel, stable: true, breakpoint: true },
      { id: 'task', channel: 'prompt', stable: true, breakpoint: true },
      { id: 'context', channel: 'prompt' },
      { id: 'message', channel: 'prompt' },
    ],
  };
}
