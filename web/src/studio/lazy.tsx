// A component whose code comes when it is first shown.
import { useSignal } from '@preact/signals';
import type { ComponentType, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Trouble } from '../shell/trouble.js';
import { word } from '../shell/words/word.js';

export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => JSX.Element {
  let known: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const isThere = useSignal(known !== undefined);
    const failure = useSignal<unknown>(undefined);
    useEffect(() => {
      load().then(
        (component) => {
          known = component;
          isThere.value = true;
        },
        (error: unknown) => {
          failure.value = error;
        },
      );
    }, []);
    if (failure.value !== undefined) return <Trouble error={failure.value} />;
    const Known = known;
    return isThere.value && Known !== undefined ? (
      <Known {...props} />
    ) : (
      <p role="status">{word('loading')}</p>
    );
  };
}
