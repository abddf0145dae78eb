// What is drawn only while it is unfolded: texts of a prompt are long, and a key must not pay for them.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

interface FoldProps {
  summary: ComponentChildren;
  children(): ComponentChildren;
}

export function Fold({ summary, children }: FoldProps) {
  const isOpen = useSignal(false);
  return (
    <details
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>{summary}</summary>
      {isOpen.value ? children() : null}
    </details>
  );
}
