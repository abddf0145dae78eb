// One line that says what a reader of the pages sees and what not, in the words of two languages.
import { isAbridged, type Omission } from './omission.js';

interface Covered {
  readonly files: number;
  readonly pages?: number;
  /** Something is missing that no omission names. */
  readonly cut?: boolean;
  readonly added: number;
  readonly removed: number;
}

const maxReasons = 6;

/** English unless told; answers and receipts are always English. */
export function coverageLine(
  covered: Covered,
  all: readonly Omission[],
  words: CoverageWords = englishCoverage,
): string {
  const { files, added, removed, pages, cut = false } = covered;
  const short = all.filter(isAbridged);
  const omitted = all.filter((omission) => !isAbridged(omission));
  const whole = words.seen({ files, added, removed, pages });
  const seen = short.length === 0 ? whole : whole + words.abridged({ files: short.length, ...sumOf(short) });
  if (omitted.length === 0) return cut || short.length > 0 ? words.partial(seen) : words.complete(seen);
  const groups = new Map<string, { files: number; added: number; removed: number }>();
  for (const omission of omitted) {
    const reason = words.reason(omission);
    const group = groups.get(reason) ?? { files: 0, added: 0, removed: 0 };
    groups.set(reason, {
      files: group.files + 1,
      added: group.added + omission.added,
      removed: group.removed + omission.removed,
    });
  }
  const shown = [...groups].slice(0, maxReasons).map(([reason, facts]) => words.group(reason, facts));
  const more = groups.size > maxReasons ? [words.moreReasons(groups.size - maxReasons)] : [];
  const gone = new Set(omitted.filter(({ partial }) => !partial).map(({ path }) => path));
  const parts = new Set(omitted.map(({ path }) => path).filter((path) => !gone.has(path))).size;
  return words.partial(seen, { files: gone.size, parts, reasons: [...shown, ...more] });
}

function sumOf(list: readonly Omission[]): { added: number; removed: number } {
  const sum = (pick: 'added' | 'removed') => list.reduce((total, one) => total + one[pick], 0);
  return { added: sum('added'), removed: sum('removed') };
}

interface LeftOut {
  readonly files: number;
  /** Files of which only some changed lines are missing. */
  readonly parts: number;
  readonly reasons: readonly string[];
}

export interface CoverageWords {
  /** What a reader sees. */
  seen(facts: { files: number; added: number; removed: number; pages: number | undefined }): string;
  /** Behind what is seen: files whose data is shown in part, and the lines that are only counted. */
  abridged(facts: { files: number; added: number; removed: number }): string;
  complete(seen: string): string;
  /** Whole files and parts of others; with nothing left out, the rest of the line says what is missing. */
  partial(seen: string, left?: LeftOut): string;
  reason(omission: Omission): string;
  group(reason: string, facts: { files: number; added: number; removed: number }): string;
  moreReasons(n: number): string;
  /** A sentence behind the line. */
  readonly rulesInPart: string;
  endedEarly(pages: number): string;
  answersLost(lost: number, all: number): string;
}

export const englishCoverage: CoverageWords = {
  seen({ files, added, removed, pages }) {
    const on = pages === undefined ? '' : ` on ${counted(pages, 'page')}`;
    return `${counted(files, 'file')} (+${added} -${removed})${on}`;
  },
  abridged: ({ files, added, removed }) =>
    `; data abridged in ${counted(files, 'file')}${added + removed === 0 ? '' : ` (+${added} -${removed} only counted)`}`,
  complete: (seen) => `Complete: ${seen}; nothing left out.`,
  partial: (seen, left) =>
    left === undefined
      ? `Partial: ${seen}.`
      : `Partial: ${seen}; left out ${leftOut(left)}: ${left.reasons.join(', ')}.`,
  reason: ({ reason }) => reason,
  group: (reason, { files, added, removed }) => `${files} ${reason} (+${added} -${removed})`,
  moreReasons: (n) => `${n} more reasons`,
  rulesInPart: ' The project rules are shown in part.',
  endedEarly: (pages) => ` On ${counted(pages, 'page')} the answer ended early.`,
  answersLost: (lost, all) => ` Of ${counted(all, 'answer')}, ${lost} could not be read in full.`,
};

function leftOut({ files, parts }: LeftOut): string {
  if (parts === 0) return counted(files, 'file');
  const some = `parts of ${counted(parts, 'file')}`;
  return files === 0 ? some : `${counted(files, 'file')} and ${some}`;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** Why something is left out, by the id of the rule. */
export const chineseReasons: Readonly<Record<string, string>> = {
  lockfile: '锁文件',
  abridged: '只显示一部分的数据',
  directory: '第三方代码或安装的依赖',
  output: '构建产物',
  editor: '编辑器设置',
  binary: '二进制文件',
  'binary-extension': '二进制文件（按扩展名）',
  minified: '压缩后的代码或源映射',
  'generated-header': '文件头标明为生成的代码',
  'not-in-clone': '部分克隆中没有其内容',
  project: '在本项目的忽略列表中',
  size: '文件过大（1,000,000 字节或以上）',
  attribute: '由 .gitattributes 排除',
  pages: '超出页数上限',
  'page-too-small': '有一行比任何一页都长',
  unreadable: '无法读取',
  'in-conflict': '处于合并冲突中',
  'not-asked': '不在所要求的路径内',
  'reviewed-before': '上次审查后没有变化',
  planner: '规划模型决定不审查',
  'skip-review': '计划中标为不审查',
  'diff-limit': '超出差异上限',
};

function chineseLeftOut({ files, parts }: LeftOut): string {
  if (parts === 0) return `${files} 个文件`;
  const some = `${parts} 个文件的一部分`;
  return files === 0 ? some : `${files} 个文件和${some}`;
}

export const chineseCoverage: CoverageWords = {
  seen({ files, added, removed, pages }) {
    const on = pages === undefined ? '' : `，共 ${pages} 页`;
    return `${files} 个文件（+${added} -${removed}）${on}`;
  },
  abridged: ({ files, added, removed }) =>
    `；${files} 个文件中的数据只显示一部分${added + removed === 0 ? '' : `（+${added} -${removed} 只计数）`}`,
  complete: (seen) => `完整：${seen}；没有舍弃任何内容。`,
  partial: (seen, left) =>
    left === undefined
      ? `部分：${seen}。`
      : `部分：${seen}；舍弃 ${chineseLeftOut(left)}：${left.reasons.join('，')}。`,
  reason: reasonOf,
  group: (reason, { files, added, removed }) => `${files} 个${reason}（+${added} -${removed}）`,
  moreReasons: (n) => `另有 ${n} 种原因`,
  rulesInPart: '项目规则只显示一部分。',
  endedEarly: (pages) => `有 ${pages} 页的回答中途结束。`,
  answersLost: (lost, all) => `共 ${all} 份回答，其中 ${lost} 份未能完整读取。`,
};

/** With what the reason names in brackets: a folder, an extension, an error code. */
function reasonOf({ rule, reason }: Omission): string {
  const named = / \((\S+)\)$/.exec(reason)?.[1];
  if (rule === 'run') return named === undefined ? '所在的页没有送审' : `所在的页失败（${named}）`;
  const said = chineseReasons[rule];
  if (said === undefined) return reason;
  return named === undefined ? said : `${said.replace(/（.*）$/, '')}（${named}）`;
}
