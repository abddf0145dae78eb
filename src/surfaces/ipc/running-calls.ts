// The calls of one caller that are under way, by the id the caller gave them. An id is used once at a time.

export interface RunningCalls {
  /** Undefined when the id is in use. */
  begin(id: string | number): AbortSignal | undefined;
  end(id: string | number): void;
  cancel(id: string | number): void;
  cancelAll(): void;
}

export function runningCalls(): RunningCalls {
  const running = new Map<string | number, AbortController>();
  return {
    begin: (id) => {
      if (running.has(id)) return undefined;
      const controller = new AbortController();
      running.set(id, controller);
      return controller.signal;
    },
    end: (id) => {
      running.delete(id);
    },
    cancel: (id) => running.get(id)?.abort(),
    cancelAll: () => {
      for (const controller of running.values()) controller.abort();
    },
  };
}
