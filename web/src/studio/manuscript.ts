// The editor of one chapter: Markdown, wrapped lines, names of people and findings underlined where they can be seen.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import {
  Annotation,
  Compartment,
  EditorState,
  type Extension,
  StateEffect,
  StateField,
} from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  MatchDecorator,
  showTooltip,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { parser } from '@lezer/markdown';

/** Code units of the text. */
export interface Underlined {
  readonly from: number;
  readonly to: number;
  readonly title: string;
}

export interface Selected {
  readonly from: number;
  readonly to: number;
}

export interface EditorOptions {
  readonly text: string;
  readonly label: string;
  readonly names: readonly string[];
  /** Stands at what is selected with the mouse; the panels do the same by keys. */
  readonly tools?: (() => HTMLElement) | undefined;
  onTyped(): void;
  onSelected(selected: Selected): void;
}

export interface ManuscriptEditor {
  readonly view: EditorView;
  text(): string;
  show(text: string): void;
  setNames(names: readonly string[]): void;
  underline(findings: readonly Underlined[]): void;
  /** Scrolls there and puts the cursor there. */
  reveal(from: number, to?: number): void;
  revealLine(line: number): void;
  close(): void;
}

const fromDisk = Annotation.define<boolean>();
const markdown = new Language(defineLanguageFacet(), parser, [], 'markdown');
const highlight = HighlightStyle.define([
  { tag: tags.heading, class: 'ms-heading' },
  { tag: tags.emphasis, class: 'ms-emphasis' },
  { tag: tags.strong, class: 'ms-strong' },
  { tag: tags.quote, class: 'ms-quote' },
  { tag: [tags.processingInstruction, tags.contentSeparator], class: 'ms-mark' },
]);

const names = new Compartment();
const setFindings = StateEffect.define<readonly Underlined[]>();
const findings = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (shown, { changes, effects }) => {
    for (const effect of effects) if (effect.is(setFindings)) return findingMarks(effect.value);
    return shown.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function findingMarks(found: readonly Underlined[]): DecorationSet {
  const marks = found
    .filter(({ from, to }) => from < to)
    .map(({ from, to, title }) =>
      Decoration.mark({ class: 'ms-finding', attributes: { title } }).range(from, to),
    );
  return Decoration.set(marks, true);
}

/** Only lines that can be seen are searched. */
function underlinedNames(list: readonly string[]): Extension {
  if (list.length === 0) return [];
  const words = [...list]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const decorator = new MatchDecorator({
    regexp: new RegExp(words.join('|'), 'gu'),
    decoration: Decoration.mark({ class: 'ms-name' }),
  });
  return ViewPlugin.define(
    (view) => ({
      decorations: decorator.createDeco(view),
      update(update: ViewUpdate) {
        this.decorations = decorator.updateDeco(update, this.decorations);
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  );
}

const putToolsAway = StateEffect.define<null>();

/** Once somebody selects with the mouse, until a tool is used or the text is left or changed: they stand over words. */
function selectionTools(make: () => HTMLElement): Extension {
  const picked = StateField.define<boolean>({
    create: () => false,
    update: (isPicked, step) =>
      !step.state.selection.main.empty &&
      !step.docChanged &&
      !step.effects.some((effect) => effect.is(putToolsAway)) &&
      (step.isUserEvent('select.pointer') || (isPicked && step.selection === undefined)),
  });
  const create = (view: EditorView) => {
    const dom = make();
    dom.addEventListener('click', () => view.dispatch({ effects: putToolsAway.of(null) }));
    return { dom };
  };
  return [
    picked,
    EditorView.focusChangeEffect.of((_, isFocused) => (isFocused ? null : putToolsAway.of(null))),
    showTooltip.compute([picked, 'selection'], (state) =>
      state.field(picked) ? { pos: state.selection.main.from, above: true, create } : null,
    ),
  ];
}

const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[name=galley-nonce]')?.content ?? '';

export function editorBasics(label: string): Extension {
  return [
    EditorView.cspNonce.of(nonce()),
    EditorView.lineWrapping,
    markdown,
    syntaxHighlighting(highlight),
    EditorView.contentAttributes.of({
      'aria-label': label,
      tabindex: '0',
      spellcheck: 'false',
      autocorrect: 'off',
    }),
    history(),
    search({ top: true }),
    keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap]),
  ];
}

export function openEditor(parent: Element, options: EditorOptions): ManuscriptEditor {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        editorBasics(options.label),
        highlightSelectionMatches({ minSelectionLength: 2, maxMatches: 100 }),
        names.of(underlinedNames(options.names)),
        findings,
        options.tools === undefined ? [] : selectionTools(options.tools),
        EditorView.updateListener.of((update) => {
          const isTyped = update.transactions.some(
            (each) => each.docChanged && each.annotation(fromDisk) !== true,
          );
          if (isTyped) options.onTyped();
          if (update.selectionSet || update.docChanged) options.onSelected(update.state.selection.main);
        }),
      ],
    }),
  });
  const reveal = (from: number, to = from) => {
    const { length } = view.state.doc;
    const [anchor, head] = [Math.min(from, length), Math.min(to, length)];
    view.dispatch({
      selection: { anchor, head },
      effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
    });
    view.focus();
  };
  return {
    view,
    text: () => view.state.doc.toString(),
    show: (text) => {
      const changes = smallestChange(view.state.doc.toString(), text);
      if (changes !== undefined) view.dispatch({ changes, annotations: fromDisk.of(true) });
    },
    setNames: (list) => view.dispatch({ effects: names.reconfigure(underlinedNames(list)) }),
    underline: (list) => {
      const { length } = view.state.doc;
      view.dispatch({ effects: setFindings.of(list.filter(({ to }) => to <= length)) });
    },
    reveal,
    revealLine: (line) => {
      const { doc } = view.state;
      reveal(doc.line(Math.min(Math.max(1, line), doc.lines)).from);
    },
    close: () => view.destroy(),
  };
}

/** One stretch that holds everything that differs. */
export function smallestChange(
  before: string,
  after: string,
): { readonly from: number; readonly to: number; readonly insert: string } | undefined {
  if (before === after) return undefined;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let end = 0;
  while (
    end < most - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
