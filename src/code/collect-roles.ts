// Which lines speak for which role? One pass over the node types a language's tables name.
import type { Node } from 'web-tree-sitter';
import type { Harvest, Leaf } from './harvest.js';
import { type LineIndex, lineAt } from './line-index.js';
import type { CodeSymbol, EvidenceRole, RoleSpan, Spans } from './syntax/outline-model.js';
import type { SyntaxTable } from './syntax/syntax-table.js';

interface Source {
  readonly harvest: Harvest;
  readonly text: string;
  readonly lines: LineIndex;
  readonly table: SyntaxTable;
}

const longestName = 120;

export function collectRoles(source: Source): RoleSpan[] {
  const { harvest } = source;
  return [
    ...harvest.roles.flatMap((leaf) => rolesOfNode(leaf, source)),
    ...harvest.calls.flatMap((leaf) => rolesOfCallNode(leaf, source)),
  ];
}

type AddRole = (role: EvidenceRole, extent: 'head' | 'whole', alone?: boolean) => void;

function adder(spans: RoleSpan[], node: Node, lines: LineIndex): AddRole {
  const startLine = lineAt(lines, node.startIndex);
  return (role, extent, alone = false) => {
    const endLine =
      extent === 'head' ? startLine : lineAt(lines, Math.max(node.startIndex, node.endIndex - 1));
    spans.push({ role, startLine, endLine, alone });
  };
}

function rolesOfNode({ node, type }: Leaf, { text, lines, table }: Source): RoleSpan[] {
  const { whole = {}, head = {}, matching = [] } = table.roles;
  const { startIndex } = node;
  const spans: RoleSpan[] = [];
  const add = adder(spans, node, lines);
  if (Object.hasOwn(whole, type)) add(whole[type]!, 'whole', standsAlone(node, text));
  if (Object.hasOwn(head, type)) add(head[type]!, 'head');
  for (const rule of matching) {
    if (
      rule.type === type &&
      rule.pattern.test(text.slice(startIndex, Math.min(node.endIndex, startIndex + 200)))
    )
      add(rule.role, 'whole');
  }
  if (table.leading.includes(type)) {
    add('decorator', 'whole', standsAlone(node, text));
    const role = roleOfAnnotation(text.slice(startIndex, startIndex + longestName).replace(/^[@#!\s[]+/, ''));
    if (role !== undefined) add(role, 'whole');
  }
  return spans;
}

function rolesOfCallNode({ node, type }: Leaf, { text, lines, table }: Source): RoleSpan[] {
  const spans: RoleSpan[] = [];
  const add = adder(spans, node, lines);
  const name = calledName(node, table.calls[type]!, text);
  for (const role of rolesOf(name, table)) {
    if (role === 'error-handling' && standsIn.test(name) && takesNothing(node, text)) continue;
    // A log line is the whole call; the other calls hold arguments with lives of their own.
    if (role === 'logging') add(role, 'whole', standsAlone(node, text));
    else add(role, 'head');
  }
  return spans;
}

const standsIn = /(?:^|\.)(?:unwrap_or_else|or_else)$/;

/** What stands in for a value that is not there is told nothing; what stands in for a failure is told the error. */
function takesNothing(node: Node, text: string): boolean {
  const given = node.childForFieldName('arguments');
  return given !== null && /^\(\s*\|\|/.test(text.slice(given.startIndex, given.startIndex + 20));
}

function rolesOf(name: string, table: SyntaxTable): Set<EvidenceRole> {
  const roles = rolesOfCall(name);
  for (const [pattern, role] of table.roles.calls ?? []) if (pattern.test(name)) roles.add(role);
  return roles;
}

/** The dotted name in front of the arguments, arguments within it dropped. */
function calledName(node: Node, field: string, text: string): string {
  const called = field === '' ? node.firstNamedChild : node.childForFieldName(field);
  if (called === null) return '';
  const end = called.endIndex;
  let name = text
    .slice(Math.max(node.startIndex, end - longestName), end)
    .replace(/^new\s+/, '')
    .replace(/[\s$?!]+/g, '');
  for (let depth = 0; depth < 5 && name.includes('('); depth += 1) name = name.replace(/\([^()]*\)/g, '');
  return name.slice(Math.max(name.lastIndexOf('('), name.lastIndexOf(')')) + 1);
}

/** Before it at most `await`, after it at most punctuation or a comment. */
function standsAlone(node: Node, text: string): boolean {
  const before = text.slice(text.lastIndexOf('\n', node.startIndex - 1) + 1, node.startIndex);
  const end = node.endIndex;
  const newline = text.indexOf('\n', end);
  const after = text.slice(end, newline === -1 ? text.length : newline);
  return /^\s*(?:await\s+)?$/.test(before) && /^[\s;,]*(?:(?:\/\/|#|\/\*).*)?$/.test(after);
}

interface NameRule {
  readonly role: EvidenceRole;
  /** Something before the last part is one of these, whatever the case. */
  readonly on?: string;
  /** The last part is one of these; any when absent. */
  readonly call?: string;
  /** The name has one part only. */
  readonly bare?: true;
}

const rules: readonly NameRule[] = [
  {
    role: 'logging',
    on: 'console logger logging log slog zap glog klog logrus tracing winston pino timber stdout stderr out err',
  },
  {
    role: 'logging',
    bare: true,
    call: 'print println eprintln eprint printf fprintf puts debug warn log NSLog os_log error_log var_dump print_r dbg syslog echo',
  },
  { role: 'logging', on: 'fmt', call: 'Print Println Printf Fprint Fprintln Fprintf' },
  { role: 'logging', on: 'console debug trace', call: 'Write WriteLine' },
  {
    role: 'routing',
    on: 'app router route routes server fastify mux engine blueprint bp group',
    call: 'get post put patch delete del head options all any use route register mount resource resources handle HandleFunc Handle add_url_rule add_api_route include_router websocket GET POST PUT PATCH DELETE MapGet MapPost MapPut MapDelete MapPatch',
  },
  { role: 'routing', on: 'r e g rg', call: 'GET POST PUT PATCH DELETE Any Handle HandleFunc Group Use' },
  { role: 'routing', on: 'http', call: 'Handle HandleFunc' },
  {
    role: 'routing',
    call: 'createBrowserRouter createRouter include_router re_path MapControllerRoute UseEndpoints UseRouting',
  },
  {
    role: 'data-access',
    on: 'db database conn connection cursor cur tx trx transaction repo repository prisma knex sequelize mongoose stmt statement entitymanager em sql orm dao dbcontext redis supabase pool',
  },
  {
    role: 'data-access',
    on: 'session',
    call: 'query execute add add_all commit scalar scalars merge flush rollback delete save find',
  },
  {
    role: 'data-access',
    on: '*',
    call: 'query queryRow QueryRow QueryContext QueryRowContext ExecContext execute executemany executeQuery executeUpdate prepareStatement findOne findMany findUnique findFirst findById find_by insertOne insertMany updateOne updateMany deleteOne deleteMany createQueryBuilder bulkWrite bulk_create fetchall fetchone fetch_all fetch_one SaveChanges SaveChangesAsync rawQuery select_related prefetch_related',
  },
  {
    role: 'concurrency',
    on: 'promise asyncio threading multiprocessing futures sync atomic atomics thread tokio rayon task executors completablefuture dispatchqueue dispatchgroup dispatchsemaphore globalscope mutex rwlock',
  },
  {
    role: 'concurrency',
    on: '*',
    call: 'lock unlock Lock Unlock RLock RUnlock TryLock try_lock acquire release synchronize submit join_all notifyAll notify_one notify_all',
  },
  {
    role: 'concurrency',
    bare: true,
    call: 'setTimeout setInterval setImmediate queueMicrotask launch runBlocking withContext coroutineScope spawn flock synchronized',
  },
  {
    role: 'error-handling',
    call: 'panic unwrap_or_else recover Errorf rescue_from fatalError preconditionFailure assertionFailure todo unimplemented unreachable',
  },
  // What belongs to something is called off or sorted out by these, and fails by none of them.
  { role: 'error-handling', bare: true, call: 'abort reject' },
  { role: 'error-handling', on: 'promise', call: 'reject' },
  { role: 'error-handling', on: 'process flask', call: 'abort' },
  { role: 'error-handling', on: 'errors', call: 'New Is As Join Wrap Wrapf' },
  {
    role: 'error-handling',
    on: '*',
    // To insist on a value handles no failure: most code that does never fails.
    call: 'catch finally catchError onError recoverWith getOrElse orElseThrow map_err ok_or ok_or_else or_else with_context',
  },
];

interface ReadyRule {
  readonly role: EvidenceRole;
  readonly on: ReadonlySet<string> | 'any' | undefined;
  readonly call: ReadonlySet<string> | undefined;
  readonly bare: boolean;
}

const ready: readonly ReadyRule[] = rules.map(({ role, on, call, bare }) => ({
  role,
  on: on === undefined ? undefined : on === '*' ? 'any' : new Set(on.split(' ')),
  call: call === undefined ? undefined : new Set(call.split(' ')),
  bare: bare === true,
}));

/** What a call is about, told by a name such as `logger.info`, `self.db.execute` or `std::thread::spawn`. */
export function rolesOfCall(name: string): Set<EvidenceRole> {
  const roles = new Set<EvidenceRole>();
  const parts = name.split(/\.|::|->/).filter((part) => part !== '');
  const last = parts.pop();
  if (last === undefined) return roles;
  const receivers = parts.map((part) => part.toLowerCase().replace(/^[_@]+/, ''));
  for (const { role, on, call, bare } of ready) {
    if (bare && receivers.length > 0) continue;
    if (on === 'any' && receivers.length === 0) continue;
    if (on instanceof Set && !receivers.some((receiver) => on.has(receiver))) continue;
    if (call === undefined || call.has(last)) roles.add(role);
  }
  return roles;
}

const annotations: readonly (readonly [EvidenceRole, string])[] = [
  [
    'routing',
    'route get post put patch delete websocket api_view action Get Post Put Patch Delete All Controller RestController Path GET POST PUT DELETE HttpGet HttpPost HttpPut HttpDelete HttpPatch Route ApiController RequestMapping GetMapping PostMapping PutMapping DeleteMapping PatchMapping',
  ],
  [
    'data-access',
    'Entity Table Column Query Transactional Repository Modifying atomic OneToMany ManyToOne ManyToMany PrimaryGeneratedColumn',
  ],
  ['concurrency', 'Async Synchronized Scheduled MainActor GuardedBy Volatile'],
  ['error-handling', 'ExceptionHandler Retryable Catch errorhandler Throws'],
];

const annotated: ReadonlyMap<string, EvidenceRole> = new Map(
  annotations.flatMap(([role, words]) => words.split(' ').map((word) => [word, role] as const)),
);

/** Of a decorator's text after its opening sign. */
function roleOfAnnotation(text: string): EvidenceRole | undefined {
  const name = /^[\w.:]+/.exec(text)?.[0] ?? '';
  return annotated.get(name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1));
}

// Roles that follow from where a span stands: comments, documentation, strings and imports.
interface Spoken {
  readonly text: string;
  readonly lines: LineIndex;
  readonly symbols: readonly CodeSymbol[];
  readonly comments: Spans;
  readonly docstrings: Spans;
  readonly strings: Spans;
  readonly imports: Spans;
}

export function textRoles(spoken: Spoken): RoleSpan[] {
  const { text, lines, comments, docstrings, strings, imports } = spoken;
  const roles: RoleSpan[] = [];
  const add = (role: EvidenceRole, spans: Spans, alone: boolean): void => {
    for (let at = 0; at < spans.length; at += 2) {
      const start = spans[at]!;
      const length = text.slice(start, spans[at + 1]!).trimEnd().length;
      roles.push({
        role,
        startLine: lineAt(lines, start),
        endLine: lineAt(lines, start + Math.max(0, length - 1)),
        alone,
      });
    }
  };
  add('import', imports, true);
  add('string', strings, false);
  add('doc-comment', docstrings, true);
  add('comment', comments, true);
  add('doc-comment', documenting(spoken), true);
  return roles;
}

/** Marked as documentation, or directly above a symbol, comment lines in a row counting as one. */
function documenting({ text, lines, symbols, comments }: Spoken): number[] {
  const starts = new Set(symbols.map(({ startLine }) => startLine));
  const found: number[] = [];
  for (let at = comments.length - 2; at >= 0; at -= 2) {
    const start = comments[at]!;
    const end = comments[at + 1]!;
    const first = lineAt(lines, start);
    const below = lineAt(lines, start + Math.max(0, text.slice(start, end).trimEnd().length - 1)) + 1;
    const leads = starts.has(below) && text.slice(lines.starts[first - 1]!, start).trim() === '';
    if (leads) starts.add(first);
    if (leads || /^(?:\/\*\*(?!\/)|\/\/\/|\/\/!)/.test(text.slice(start, start + 4))) found.push(start, end);
  }
  return found;
}
