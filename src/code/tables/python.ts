// Python.
import {
  fieldText,
  type ImportEntry,
  type NodeView,
  type SymbolDraft,
  type SyntaxTable,
} from '../syntax/syntax-table.js';

function names(list: string): string[] {
  return list
    .replace(/#.*$/gm, '')
    .replace(/[()\\]/g, '')
    .split(',')
    .flatMap((part) => {
      const [name, alias] = part.trim().split(/\s+as\s+/);
      if (name === undefined || name === '') return [];
      return alias === undefined || alias === name ? [name] : [name, alias];
    });
}

function plainImport(view: NodeView): ImportEntry[] {
  const list = view.read(view.node).replace(/^import\s+/, '');
  return list.split(',').flatMap((part) => {
    const [module, alias] = part
      .replace(/[\\#].*/g, '')
      .trim()
      .split(/\s+as\s+/);
    if (module === undefined || module === '') return [];
    return [{ module, names: alias === undefined ? ['*', module] : ['*', alias] }];
  });
}

function fromImport(view: NodeView): ImportEntry[] {
  const match = /^from\s+([\w.\s]+?)\s+import\s+([\s\S]*)$/.exec(view.read(view.node));
  return match === null ? [] : [{ module: match[1]!.replace(/\s+/g, ''), names: names(match[2]!) }];
}

function exported({ name, kind, parent }: SymbolDraft, explicit: ReadonlySet<string>): boolean {
  if (
    parent !== undefined &&
    !((kind === 'method' || kind === 'field' || kind === 'class') && parent.exported)
  )
    return false;
  if (parent === undefined && explicit.size > 0) return explicit.has(name);
  return !name.startsWith('_') || /^__\w+__$/.test(name);
}

function allList(view: NodeView): string[] {
  if (fieldText(view, 'left') !== '__all__') return [];
  return [...(fieldText(view, 'right') ?? '').matchAll(/['"]([\w.]+)['"]/g)].map((match) => match[1]!);
}

export const python: SyntaxTable = {
  units: {
    function_definition: { kind: 'function' },
    class_definition: { kind: 'class' },
    assignment: {
      kind: ({ node }) => (node.childForFieldName('right')?.type === 'lambda' ? 'function' : 'variable'),
      name: (view) => {
        const target = fieldText(view, 'left') ?? '';
        return /^[\w, ()*]+$/.test(target) ? target : undefined;
      },
      body: ({ node }) => {
        const value = node.childForFieldName('right');
        return value?.type === 'lambda' ? value.childForFieldName('body') : value;
      },
    },
    type_alias_statement: { kind: 'type', name: 'left', body: 'right' },
  },
  wrappers: { decorated_definition: 'definition', expression_statement: '*' },
  leading: ['decorator'],
  scopes: ['lambda'],
  comments: ['comment'],
  strings: ['string'],
  docstrings: true,
  imports: {
    import_statement: plainImport,
    import_from_statement: fromImport,
    future_import_statement: fromImport,
  },
  exported,
  exportLists: { assignment: allList },
  identifiers: { plain: ['identifier'], types: [] },
  calls: { call: 'function' },
  definitions: {
    typed_parameter: '',
    default_parameter: 'name',
    typed_default_parameter: 'name',
    assignment: 'left',
  },
  roles: {
    whole: {
      except_clause: 'error-handling',
      except_group_clause: 'error-handling',
      finally_clause: 'error-handling',
      raise_statement: 'error-handling',
      assert_statement: 'error-handling',
    },
    head: { try_statement: 'error-handling', await: 'concurrency', async: 'concurrency' },
    matching: [
      {
        type: 'with_statement',
        pattern: /^with\s+[^:\n]*(?:lock|mutex|semaphore|pool|executor)/i,
        role: 'concurrency',
      },
    ],
    calls: [
      [/^(?:path|re_path|url)$/, 'routing'],
      [/\.objects(?:\.\w+)*$/, 'data-access'],
      [
        /(?:^|\.)(?:Thread|Process|Lock|RLock|Semaphore|ThreadPoolExecutor|ProcessPoolExecutor|create_task|gather)$/,
        'concurrency',
      ],
    ],
  },
};
