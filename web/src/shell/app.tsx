// The frame around every view: where one is, where one can go, and what went wrong.
import { signal } from '@preact/signals';
import { Component, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { LanguageButton } from './language-button.js';
import { linkTo, place } from './router.js';
import { begin, project, standing, takesCookies } from './start.js';
import { Trouble } from './trouble.js';
import { type WordName, word } from './words/word.js';

interface View {
  readonly name: string;
  readonly label: WordName;
  isThere(): boolean;
  load(): Promise<ComponentType>;
}

const views: readonly View[] = [
  {
    name: 'review',
    label: 'nav.review',
    isThere: () => project.value.isRepository,
    load: async () => (await import('../review/review-view.js')).ReviewView,
  },
  {
    name: 'write',
    label: 'nav.write',
    isThere: () => project.value.isBook,
    load: async () => (await import('../studio/studio-view.js')).StudioView,
  },
  {
    name: 'sent',
    label: 'nav.sent',
    isThere: () => project.value.isRepository || project.value.isBook,
    load: async () => (await import('../inspector/sent-view.js')).SentView,
  },
  {
    name: 'agents',
    label: 'nav.agents',
    isThere: () => true,
    load: async () => (await import('../agents/agents-view.js')).AgentsView,
  },
  {
    name: 'runs',
    label: 'nav.runs',
    isThere: () => project.value.hasStore,
    load: async () => (await import('../inspector/runs-view.js')).RunsView,
  },
  {
    name: 'projects',
    label: 'nav.projects',
    isThere: () => project.value.recent.length > 0,
    load: async () => (await import('./projects-view.js')).ProjectsView,
  },
];

const loaded = signal<Readonly<Record<string, ComponentType>>>({});
const failure = signal<unknown>(undefined);

export function App() {
  const [name = ''] = place.value.path.split('/');
  const view = views.find((candidate) => candidate.name === name);
  useEffect(() => {
    if (view === undefined || view.name in loaded.value) return;
    failure.value = undefined;
    view.load().then(
      (shown) => {
        loaded.value = { ...loaded.value, [view.name]: shown };
      },
      (error: unknown) => {
        failure.value = error;
      },
    );
  }, [name, standing.value]);
  if (standing.value === 'asking') return <Message text={word('start.asking')} />;
  if (standing.value === 'closed')
    return <Message text={word(takesCookies() ? 'start.closed' : 'start.cookies')} code="galley open" />;
  if (standing.value === 'offline')
    return (
      <Message text={word('start.offline')} code="galley open">
        <button type="button" onClick={() => void begin()}>
          {word('again')}
        </button>
      </Message>
    );
  const Shown = loaded.value[name];
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        {word('nav.skip')}
      </button>
      <header class="bar">
        <strong class="brand">Galley</strong>
        <span class="project">{project.value.name}</span>
        <nav aria-label={word('nav.label')}>
          {views
            .filter((candidate) => candidate.isThere())
            .map(({ name: other, label }) => (
              <a key={other} href={linkTo(other)} aria-current={other === name ? 'page' : undefined}>
                {word(label)}
              </a>
            ))}
        </nav>
        <LanguageButton />
      </header>
      <main id="main" tabIndex={-1}>
        {view === undefined ? (
          <p>{word('nav.nothing')}</p>
        ) : failure.value !== undefined ? (
          <Trouble error={failure.value} />
        ) : Shown === undefined ? (
          <p role="status">{word('loading')}</p>
        ) : (
          <Guard key={name}>
            <Shown />
          </Guard>
        )}
      </main>
    </>
  );
}

function Message({ text, code, children }: { text: string; code?: string; children?: ComponentChildren }) {
  return (
    <main class="message">
      <h1>Galley</h1>
      <p role="status">{text}</p>
      {code === undefined ? null : <code>{code}</code>}
      {children}
    </main>
  );
}

/** A view that breaks leaves the frame standing. */
class Guard extends Component<{ children: ComponentChildren }, { error?: unknown }> {
  override state: { error?: unknown } = {};
  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override render() {
    return this.state.error === undefined ? this.props.children : <Trouble error={this.state.error} />;
  }
}
