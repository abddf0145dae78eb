// Which words does a report for people use? Order and numbers are the same in every language, and so is what machines read.

import { type CoverageWords, chineseCoverage, englishCoverage } from '../change/coverage.js';
import type { HidingFacts, HidingKind } from '../change/hiding.js';
import { type SummaryReason, summaryReasons } from '../findings/check-anchors.js';
import type { Severity } from '../findings/finding.js';

export const reportLanguages = ['en', 'zh'] as const;

export type ReportLanguage = (typeof reportLanguages)[number];

export function reportWords(language: ReportLanguage = 'en'): ReportWords {
  return language === 'zh' ? chineseWords : englishWords;
}

const chinese = /^zh(?:$|[ -])|chinese|mandarin|[中汉漢华華][文语語]|[国國][语語]|普通[话話]/i;

/** A model writes in any language; we have words of our own in two. */
export function reportLanguageOf(name: string | undefined): ReportLanguage {
  return name !== undefined && chinese.test(name) ? 'zh' : 'en';
}

interface NotShown {
  readonly refuted: number;
  readonly below: number;
  readonly over: number;
  readonly exempt: number;
  readonly twice: number;
  readonly unchecked: number;
}

export interface ReportWords {
  readonly coverage: CoverageWords;
  title(tool: string): string;
  severity(severity: Severity): string;
  /** "2 high, 1 low", worst first. */
  counts(numbers: readonly (readonly [Severity, number])[]): string;
  /** Whose summaries are not shown. */
  morePages(n: number): string;
  noFindings(complete: boolean): string;
  /** There are findings, and all of them are elsewhere. */
  readonly noneOnChange: string;
  /** Above those that stand on no line of the change. */
  elsewhere(n: number): string;
  result(counts: string, facts: { fresh: number; still: number }): string;
  readonly incomplete: string;
  /** Above everything else: what a change keeps from being read. */
  readonly notRead: string;
  hidden(facts: HidingFacts, message: string): string;
  noRoom(counts: string): string;
  readonly isNew: string;
  readonly beforeChange: string;
  lineBefore(line: number): string;
  notAnchored(reason: SummaryReason): string;
  readonly deletion: string;
  readonly replacement: string;
  /** Of code that cannot be committed as it stands. */
  readonly remedy: string;
  readonly resolved: string;
  more(n: number): string;
  readonly refuted: string;
  notShown(facts: NotShown): string;
  notAnnotated(rest: number, all: number): string;
}

const englishWords: ReportWords = {
  coverage: englishCoverage,
  title: (tool) => `Review by ${tool}`,
  severity: (severity) => severity,
  counts: (numbers) => numbers.map(([severity, n]) => `${n} ${severity}`).join(', '),
  morePages: (n) => `and ${n} more ${n === 1 ? 'page' : 'pages'}`,
  noFindings: (complete) => (complete ? 'No findings.' : 'No findings in what could be read.'),
  noneOnChange: 'No findings on lines of this change.',
  elsewhere: (n) =>
    n === 1
      ? '**1 finding names no line of this change:**'
      : `**${n} findings name no line of this change:**`,
  result: (counts, { fresh, still }) => `${counts}; ${fresh} new, ${still} still there.`,
  incomplete: '**Incomplete:** a part of this change could not be reviewed.',
  notRead: '**Not read:**',
  hidden: (_, message) => message,
  noRoom: (counts) => `No room here for ${counts} more; see the full report.`,
  isNew: 'new',
  beforeChange: ' (before the change)',
  lineBefore: (line) => ` (line ${line} before the change)`,
  notAnchored: (reason) => ` (${summaryReasons[reason]})`,
  deletion: 'Suggested: delete these lines.',
  replacement: 'Suggested instead:',
  remedy: 'Suggested, to be fitted in by hand:',
  resolved: 'Resolved since the last review:',
  more: (n) => `and ${n} more`,
  refuted: 'Refuted when looked at again:',
  notShown({ refuted, below, over, exempt, twice, unchecked }) {
    const notes = [
      ...(refuted > 0 ? [`${refuted} refuted`] : []),
      ...(below > 0 ? [`${below} below the threshold`] : []),
      ...(over > 0 ? [`${over} over the cap`] : []),
      ...(exempt > 0 ? [`${exempt} exempt`] : []),
      ...(twice > 0 ? [`${twice} said twice`] : []),
      ...(unchecked > 0 ? [`${unchecked} earlier not looked at again`] : []),
    ];
    return `Not shown: ${notes.join(', ')}.`;
  },
  notAnnotated: (rest, all) =>
    `${rest} of ${all} findings are not shown as annotations; they are in the step summary.`,
};

const severityNames: Readonly<Record<Severity, string>> = {
  critical: '致命',
  high: '严重',
  medium: '中等',
  low: '轻微',
  info: '提示',
};

const chineseSummaryReasons: Readonly<Record<SummaryReason, string>> = {
  'not-in-change': '该文件不在本次改动中',
  'no-lines': '该文件在本次改动中没有改动行',
  'no-line': '没有指明行，也没有引用可供定位的代码',
  'outside-hunks': '该行不在改动范围内',
  'quote-not-found': '该行不在改动范围内，改动中也没有所引用的代码',
  'ambiguous-quote': '所引用的代码出现在多处',
  'crosses-hunks': '所指范围超出了那里的改动行',
};

const chineseHiding: Readonly<Record<HidingKind, string>> = {
  generated: '的文件头自称是生成的代码',
  binary: '含有 NUL 字节，被当作二进制文件',
  folder: '因所在目录、文件名或大小而被排除',
  attributes: '被 .gitattributes 排除，而它可能是本次改动的一部分',
  steering: '本次改动修改了审查设置',
};

const chineseWords: ReportWords = {
  coverage: chineseCoverage,
  title: (tool) => `代码审查（${tool}）`,
  severity: (severity) => severityNames[severity],
  counts: (numbers) => numbers.map(([severity, n]) => `${severityNames[severity]} ${n}`).join('，'),
  morePages: (n) => `另有 ${n} 页`,
  noFindings: (complete) => (complete ? '没有发现问题。' : '在能读取的内容中没有发现问题。'),
  noneOnChange: '改动的行上没有发现问题。',
  elsewhere: (n) => `**有 ${n} 个问题没有指向本次改动的任何一行：**`,
  result: (counts, { fresh, still }) => `${counts}；新增 ${fresh}，仍然存在 ${still}。`,
  // Emphasis that ends on a full-width colon is not read as emphasis.
  incomplete: '**不完整**：本次改动有一部分未能审查。',
  notRead: '**未审查：**',
  hidden: ({ kind, omitted, files, fresh = 0 }) => {
    const since = fresh > 0 ? `（其中 ${fresh} 个的文件头是本次改动加上的）` : '';
    const count = kind === 'steering' ? '' : `${omitted} 个文件`;
    return `${count}${chineseHiding[kind]}${since}：${files.join('、')}。`;
  },
  noRoom: (counts) => `此处放不下其余问题：${counts}；见完整报告。`,
  isNew: '新增',
  beforeChange: '（改动前）',
  lineBefore: (line) => `（改动前第 ${line} 行）`,
  notAnchored: (reason) => `（${chineseSummaryReasons[reason]}）`,
  deletion: '建议：删除这些行。',
  replacement: '建议改为：',
  remedy: '建议（需手工调整，不能直接套用）：',
  resolved: '上次审查之后已解决：',
  more: (n) => `另有 ${n} 项`,
  refuted: '复核时被否定：',
  notShown({ refuted, below, over, exempt, twice, unchecked }) {
    const notes = [
      ...(refuted > 0 ? [`复核时被否定 ${refuted} 项`] : []),
      ...(below > 0 ? [`低于阈值 ${below} 项`] : []),
      ...(over > 0 ? [`超出数量上限 ${over} 项`] : []),
      ...(exempt > 0 ? [`已豁免 ${exempt} 项`] : []),
      ...(twice > 0 ? [`重复 ${twice} 项`] : []),
      ...(unchecked > 0 ? [`此前提出、这次未再检查 ${unchecked} 项`] : []),
    ];
    return `未列出：${notes.join('，')}。`;
  },
  notAnnotated: (rest, all) => `共 ${all} 个问题，其中 ${rest} 个没有显示为注解，见步骤摘要。`,
};
