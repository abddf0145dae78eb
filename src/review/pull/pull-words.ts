// The words of a summary on a pull request, in both languages.
import type { ReportLanguage } from '../report/report-words.js';

export interface VerdictFacts {
  readonly toFix: number;
  readonly toConsider: number;
  readonly read: { readonly files: number; readonly of: number } | undefined;
  readonly complete: boolean;
}

export interface PullWords {
  verdict(facts: VerdictFacts): string;
  /** For a check: no Markdown. */
  plainVerdict(facts: VerdictFacts): string;
  more(count: number): string;
  fold(facts: FoldFacts): string;
  /** For a check: nothing was reviewed. */
  readonly paused: string;
  /** What changed, in the words of the pages. */
  readonly changed: string;
  readonly everything: string;
  readonly noPlace: string;
  readonly coverage: string;
  readonly held: string;
  readonly dismissed: string;
  readonly gone: string;
  heldLine(reason: string, count: number): string;
  /** Below everything: who says this, and how one answers. */
  readonly foot: string;
}

interface FoldFacts {
  readonly held: number;
  readonly dismissed: number;
  readonly gone: number;
}

const english: PullWords = {
  verdict: (facts) => {
    const [first, ...rest] = verdictParts(facts);
    return [`**${first}**`, ...rest].join(' · ');
  },
  plainVerdict: (facts) => verdictParts(facts).join(' · '),
  more: (count) => `- and ${count} more below`,
  fold({ held, dismissed, gone }) {
    const parts = [
      'Coverage',
      ...(held > 0 ? [`${held} held back`] : []),
      ...(dismissed > 0 ? [`${dismissed} dismissed`] : []),
      ...(gone > 0 ? [`${gone} no longer seen`] : []),
    ];
    return parts.join(', ');
  },
  paused: 'Paused: not reviewed until somebody writes @galley resume',
  changed: 'What changed',
  everything: 'All findings',
  noPlace: 'Without a line in the diff',
  coverage: 'Coverage',
  held: 'Held back',
  dismissed: 'Dismissed by people, not raised again',
  gone: 'No longer seen',
  heldLine: (reason, count) => `${count} ${heldReasons[reason] ?? reason}`,
  foot: 'Written by Galley with a language model. Resolve a thread, 👎 the remark or reply “intended”, and it is not raised again.',
};

const heldReasons: Readonly<Record<string, string>> = {
  'below-threshold': 'below the threshold',
  'over-cap': 'over the cap',
  exempt: 'called intended, kept in .galley/exemptions.json',
  refuted: 'refuted when looked at again',
};

function verdictParts({ toFix, toConsider, read, complete }: VerdictFacts): string[] {
  return [
    toFix > 0 ? `${toFix} to fix` : toConsider > 0 ? `${toConsider} to consider` : 'Nothing to fix',
    ...(toFix > 0 && toConsider > 0 ? [`${toConsider} to consider`] : []),
    ...(read === undefined ? [] : [`read ${read.files} of ${read.of} files`]),
    ...(complete ? [] : ['incomplete']),
  ];
}

const chinese: PullWords = {
  verdict: (facts) => {
    const [first, ...rest] = chineseVerdict(facts);
    return [`**${first}**`, ...rest].join(' · ');
  },
  plainVerdict: (facts) => chineseVerdict(facts).join(' · '),
  more: (count) => `- 另有 ${count} 项，见下`,
  fold({ held, dismissed, gone }) {
    const parts = [
      '覆盖范围',
      ...(held > 0 ? [`未列出 ${held} 项`] : []),
      ...(dismissed > 0 ? [`已驳回 ${dismissed} 项`] : []),
      ...(gone > 0 ? [`不再出现 ${gone} 项`] : []),
    ];
    return parts.join('，');
  },
  paused: '已暂停：有人写 @galley resume 之前不审查',
  changed: '改了什么',
  everything: '全部问题',
  noPlace: '在改动中没有对应的行',
  coverage: '覆盖范围',
  held: '未列出',
  dismissed: '已被人驳回，不再提出',
  gone: '不再出现',
  heldLine: (reason, count) => `${chineseHeldReasons[reason] ?? reason} ${count} 项`,
  foot: '由 Galley 借助语言模型写成。关闭讨论、点 👎 或回复“误报”，就不再提起。',
};

const chineseHeldReasons: Readonly<Record<string, string>> = {
  'below-threshold': '低于阈值',
  'over-cap': '超出数量上限',
  exempt: '已在 .galley/exemptions.json 中豁免',
  refuted: '复核时被否定',
};

function chineseVerdict({ toFix, toConsider, read, complete }: VerdictFacts): string[] {
  return [
    toFix > 0 ? `需修改 ${toFix} 处` : toConsider > 0 ? `可考虑 ${toConsider} 处` : '没有需要修改的问题',
    ...(toFix > 0 && toConsider > 0 ? [`可考虑 ${toConsider} 处`] : []),
    ...(read === undefined ? [] : [`已读 ${read.files}/${read.of} 个文件`]),
    ...(complete ? [] : ['不完整']),
  ];
}

export function pullWords(language: ReportLanguage = 'en'): PullWords {
  return language === 'zh' ? chinese : english;
}
