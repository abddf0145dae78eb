// Listens to a run beside its caller, without changing what the caller was promised.
import type { RunOptions } from './model.js';

export interface TextTap {
  onWords(): void;
  /** The words so far are void. */
  onVoid?(): void;
}

export function tapText(options: RunOptions, { onWords, onVoid }: TextTap): RunOptions {
  const onRetry: RunOptions['onRetry'] = (retry) => {
    onVoid?.();
    options.onRetry?.(retry);
  };
  return {
    signal: options.signal,
    ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
    onText(text) {
      onWords();
      options.onText?.(text);
    },
    // A caller who hears words but not that they are void must not be misled; one who hears none cannot be.
    ...(options.onRetry === undefined && options.onText !== undefined ? {} : { onRetry }),
  };
}
