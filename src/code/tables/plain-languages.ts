// Languages without a grammar of ours whose declarations can be told by their lines. A new one is a new row.
import type { EvidenceRole, ImportLine, SymbolKind } from '../syntax/outline-model.js';

export interface PlainDeclaration {
  readonly kind: SymbolKind;
  /** Holds the name as its group `name`; strings are still there, comments are not. */
  readonly pattern: RegExp;
  /** Only where members of the file or of a class begin, since its form alone could be a call. */
  readonly member?: true;
  /** Cannot be reached from other files, whatever its name. */
  readonly hidden?: true;
}

export interface PlainLanguage {
  /** The first that matches a line counts. */
  readonly declarations: readonly PlainDeclaration[];
  /** Groups `module` and, where it has one, `name`. */
  readonly imports: RegExp;
  /** A module as a path relative to the file, where it means one. */
  readonly modulePath?: (module: string) => string;
  /** Names that stay within their file or class. */
  readonly privateName: RegExp;
  /** Where a head ends, after its parentheses are closed. */
  readonly body: RegExp;
  /** One function may be declared clause by clause. */
  readonly clauses?: true;
  /** At the depth of a declaration, goes on with it. */
  readonly goesOn: RegExp;
  /** At the depth of a declaration, ends it. */
  readonly closes: RegExp;
  /** Lines above a declaration that belong to it. */
  readonly leading: RegExp;
  readonly roles: readonly (readonly [RegExp, EvidenceRole])[];
  /** Words before a parenthesis that call nothing. */
  readonly keywords: ReadonlySet<string>;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const dartType = String.raw`(?:(?:[\w$.]+(?:<[^;={}()]*>)?\??\s+)?Function(?:<[^()]*>)?\([^()]*\)\??|[\w$.]+(?:<[^;={}]*>)?\??|\([^()]*\)\??)`;
const dartWords = String.raw`(?:(?:static|external|abstract|final|const|late|covariant|factory|var|augment)\s+)`;
const dartKeywords =
  'if for while switch catch return assert super this throw await new else do case when yield is in set get on Function';
const notDartWord = String.raw`(?!(?:${dartKeywords.replaceAll(' ', '|')})\b)`;

const dart: PlainLanguage = {
  declarations: [
    {
      kind: 'test',
      pattern: /^\s*(?:test|testWidgets|group)\s*\(\s*(?:r?['"](?<name>[^'"]{1,80})|$)/,
    },
    { kind: 'enum', pattern: /^\s*enum\s+(?<name>[\w$]+)/ },
    {
      kind: 'class',
      pattern:
        /^\s*(?:(?:abstract|base|final|interface|sealed|mixin|macro)\s+)*(?:class|mixin|extension(?:\s+type)?(?:\s+const)?)\s+(?<name>[\w$]+)/,
    },
    { kind: 'type', pattern: /^\s*typedef\s+(?:[\w<>?,. ]+\s+)?(?<name>[\w$]+)\s*(?:<[^=]*>)?\s*[=(]/ },
    {
      kind: 'method',
      member: true,
      pattern: new RegExp(
        String.raw`^\s*${dartWords}*(?:${notDartWord}${dartType}\s+)?(?:get|set)\s+(?<name>[\w$]+)\s*(?:\(|=>|\{|async|;|$)`,
      ),
    },
    {
      kind: 'function',
      member: true,
      pattern: new RegExp(
        String.raw`^\s*${dartWords}*(?:${notDartWord}${dartType}\s+)?(?:operator\s*)?${notDartWord}(?:[\w$]+\.)?(?<name>[\w$]+|[=<>+\-*/%~&|^[\]]+)\s*(?:<[^()]*>)?\s*\(`,
      ),
    },
    {
      kind: 'field',
      member: true,
      pattern: new RegExp(
        String.raw`^\s*(?:${dartWords}+(?:${dartType}\s+)?|${notDartWord}${dartType}\s+)(?<name>[\w$]+)\s*(?:=(?!=)|;|$)`,
      ),
    },
  ],
  imports:
    /^\s*(?:import|export|part(?:\s+of)?|library)\s+(?:['"](?<module>[^'"]+)['"]|[\w.]+)(?:.*?\bas\s+(?<name>\w+))?/,
  modulePath: (module) => (/^[\w./-]+$/.test(module) ? `./${module}` : module),
  privateName: /^_/,
  body: /\s*(?:\b(?:async|sync)\b\*?\s*)?(?:=>|\{|;|:|=)/,
  goesOn: /^\s*[\])}].*(?:[{(:,[]|=>|\basync\*?)\s*$/,
  closes: /^\s*[\])}]/,
  leading: /^\s*@\w/,
  roles: [
    [/\b(?:try|catch|throw|rethrow|finally)\b|^[\s}]*on\s+[A-Z]\w*\s*(?:catch\b|\{)/, 'error-handling'],
    [
      /\b(?:Completer|Isolate|Timer|StreamController)\b|\bFuture\.(?:wait|any|delayed)\b|\bcompute\(/,
      'concurrency',
    ],
  ],
  keywords: words(dartKeywords),
};

const lua: PlainLanguage = {
  declarations: [
    { kind: 'test', pattern: /^\s*(?:describe|it|test)\s*\(\s*(['"])(?<name>.{1,80}?)\1/ },
    { kind: 'function', hidden: true, pattern: /^\s*local\s+function\s+(?<name>\w+)/ },
    { kind: 'function', hidden: true, pattern: /^\s*local\s+(?<name>\w+)\s*=\s*function\b/ },
    { kind: 'method', pattern: /^\s*function\s+(?:\w+[.:])+(?<name>\w+)/ },
    { kind: 'function', pattern: /^\s*function\s+(?<name>\w+)/ },
    { kind: 'method', pattern: /^\s*(?:\w+\.)+(?<name>\w+)\s*=\s*function\b/ },
    { kind: 'function', hidden: true, pattern: /^\s*(?<name>\w+)\s*=\s*function\b/ },
    { kind: 'variable', hidden: true, member: true, pattern: /^local\s+(?<name>\w+)\s*(?:<\w+>\s*)?=/ },
    { kind: 'variable', member: true, pattern: /^(?:\w+\.)+(?<name>\w+)\s*=(?!=)/ },
  ],
  imports: /^\s*(?:local\s+(?<name>\w+)\s*=\s*)?require\s*\(?\s*['"](?<module>[^'"]+)['"]\s*\)?\s*;?\s*$/,
  privateName: /^_/,
  body: /\s*(?:=\s*(?!function)|$)/,
  goesOn: /^\s*(?:else|elseif)\b/,
  closes: /^\s*(?:end\b|[\])}])/,
  leading: /^(?!)/,
  roles: [
    [/\b(?:pcall|xpcall|error|assert)\s*\(/, 'error-handling'],
    [/\bcoroutine\.|\b(?:vim\.)?(?:uv|loop)\.new_|\bvim\.schedule\b|\bvim\.defer_fn\b/, 'concurrency'],
    [/\bvim\.notify\b/, 'logging'],
  ],
  keywords: words('if for while until return and or not function elseif in'),
};

const elixir: PlainLanguage = {
  declarations: [
    { kind: 'test', pattern: /^\s*(?:test|describe|property)\s+"(?<name>[^"]{1,80})"/ },
    { kind: 'module', pattern: /^\s*(?:defmodule|defimpl)\s+(?<name>[\w.]+)/ },
    { kind: 'interface', pattern: /^\s*defprotocol\s+(?<name>[\w.]+)/ },
    {
      kind: 'function',
      hidden: true,
      pattern: /^\s*(?:defp|defmacrop|defguardp)\s+(?:unquote\()?(?<name>[\w]+[?!]?)/,
    },
    {
      kind: 'method',
      pattern: /^\s*(?:def|defmacro|defguard|defdelegate)\s+(?:unquote\()?(?<name>[\w]+[?!]?)/,
    },
    { kind: 'type', hidden: true, pattern: /^\s*@typep\s+(?<name>\w+)/ },
    { kind: 'type', pattern: /^\s*@(?:type|opaque|callback|macrocallback)\s+(?<name>\w+[?!]?)/ },
    { kind: 'field', pattern: /^\s*(?<name>defstruct|defexception)\b/ },
  ],
  imports: /^\s*(?:alias|import|require)\s+(?<module>[A-Z][\w.]*(?:\.\{[^}]*\})?)(?:.*\bas:\s*(?<name>\w+))?/,
  privateName: /^__/,
  body: /\s*(?:,\s*do:|\b(?:do|when)\b|$)/,
  clauses: true,
  goesOn: /^\s*(?:else|rescue|catch|after)\b/,
  closes: /^\s*(?:end\b|[\])}])/,
  leading: /^\s*@(?:spec|impl|doc|tag|deprecated|dialyzer)\b/,
  roles: [
    [/\b(?:try|rescue|raise|reraise|catch|throw)\b/, 'error-handling'],
    [/\b(?:Task|GenServer|Agent|Supervisor|Process)\.|\bspawn(?:_\w+)?\b|\breceive\s+do\b/, 'concurrency'],
    [/\bRepo\.\w+|\bEcto\.Query\b/, 'data-access'],
    [/\bLogger\.\w+|\bIO\.(?:puts|inspect|warn)\b/, 'logging'],
  ],
  keywords: words(
    'if for unless case cond with fn do def defp defmodule when and or not in quote unquote receive try',
  ),
};

export const plainLanguages: Readonly<Record<string, PlainLanguage>> = { dart, elixir, lua };

/** The lines that bring something in, as an outline names them. */
export function plainImport(
  language: PlainLanguage,
  content: string,
): Pick<ImportLine, 'module' | 'names'> | undefined {
  const found = language.imports.exec(content);
  if (found === null) return undefined;
  const { module = '', name } = found.groups ?? {};
  const target = language.modulePath?.(module) ?? module;
  return { module: target, names: name === undefined ? ['*'] : ['*', name] };
}
