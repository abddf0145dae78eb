// How commands in comments are answered, in both languages.
import { printablePath } from '../change/safe-text.js';
import type { ReviewFinding } from '../findings/finding.js';
import { codeSpan, markdownLine } from '../report/markdown.js';
import type { ReportLanguage } from '../report/report-words.js';

export interface AnswerWords {
  readonly help: string;
  paused(login: string): string;
  readonly resumed: string;
  reviewed(
    head: string,
    verdict: { readonly open: number; readonly lines: number; readonly complete: boolean },
  ): string;
  readonly nothingNew: string;
  readonly described: string;
  readonly unknown: string;
  ended(state: string): string;
  notPart(path: string): string;
  noFinding(findings: readonly Pick<ReviewFinding, 'id' | 'title'>[]): string;
  readonly noQuestion: string;
  leftOut(path: string, reason: string, isPartial: boolean): string;
  shown(path: string, page: number, pages: number): string;
  readonly nothingLeftOut: string;
  /** So many more are left out. */
  more(count: number): string;
  failed(message: string): string;
  /** What an answer was made from. */
  seen(files: number, of: number): string;
}

function listed(findings: readonly Pick<ReviewFinding, 'id' | 'title'>[]): string[] {
  return findings.map(({ id, title }) => `- ${codeSpan(id.slice(0, 8))} ${markdownLine(title)}`);
}

const english: AnswerWords = {
  help: [
    'What I understand, in the first line of a comment:',
    '',
    '- `@galley review` reviews what is new; `@galley review all` reads every file again',
    '- `@galley explain <finding>` says more about a finding; in its thread the id can be left out',
    '- `@galley why was <file> left out?` says what was not read, and why',
    '- `@galley ask …` answers a question about the change',
    '- `@galley describe` writes a description into a marked part of the pull request',
    '- `@galley pause` and `@galley resume` stop and start reviews of new pushes',
  ].join('\n'),
  paused: (login) =>
    `Paused for ${codeSpan(login)}: new pushes are not reviewed until somebody writes \`@galley resume\`.`,
  resumed: 'New pushes are reviewed again.',
  reviewed: (head, { open, lines, complete }) =>
    `Reviewed ${codeSpan(head.slice(0, 10))}: ${open === 0 ? 'nothing to fix' : `${open} open`}${lines > 0 ? `, ${lines} new on lines` : ''}${complete ? '' : ', incomplete'}.`,
  nothingNew: 'Nothing is new since the last review. `@galley review all` reads every file again.',
  described: 'The description is in the marked part of the pull request.',
  unknown: 'I do not understand that.',
  ended: (state) => `The pull request is ${state}; nothing was reviewed.`,
  notPart: (path) => `${codeSpan(printablePath(path))} is no part of this change.`,
  noFinding: (findings) =>
    findings.length === 0
      ? 'There is no finding on this pull request.'
      : ['Which one? Ask in its thread, or give the beginning of its id:', '', ...listed(findings)].join(
          '\n',
        ),
  noQuestion: 'Ask a question behind the word: `@galley ask what happens when the file is empty?`',
  leftOut: (path, reason, isPartial) =>
    `- ${codeSpan(printablePath(path))}: ${isPartial ? 'shown in part' : 'left out'} (${reason})`,
  shown: (path, page, pages) =>
    `- ${codeSpan(printablePath(path))}: shown${pages > 1 ? `, on page ${page} of ${pages}` : ''}`,
  nothingLeftOut: 'Nothing is left out of this change.',
  more: (count) => `- and ${count} more`,
  failed: (message) => `That did not work: ${message}`,
  seen: (files, of) => (files === of ? 'From the whole change.' : `From ${files} of ${of} changed files.`),
};

const chinese: AnswerWords = {
  help: [
    '评论第一行可以写：',
    '',
    '- `@galley review` 审查新内容；`@galley review all` 重新读所有文件',
    '- `@galley explain <编号>` 进一步解释一项问题；在它的讨论里可以不写编号',
    '- `@galley why <文件>` 说明哪些没读，为什么',
    '- `@galley ask …` 回答关于这次改动的提问',
    '- `@galley describe` 在合并请求的标记段落里写说明',
    '- `@galley pause`、`@galley resume` 暂停、恢复对新提交的审查',
  ].join('\n'),
  paused: (login) => `已应 ${codeSpan(login)} 的要求暂停：在有人写 \`@galley resume\` 之前不审查新提交。`,
  resumed: '恢复审查新提交。',
  reviewed: (head, { open, lines, complete }) =>
    `已审查 ${codeSpan(head.slice(0, 10))}：${open === 0 ? '没有需要修改的问题' : `未解决 ${open} 处`}${lines > 0 ? `，新标注 ${lines} 处` : ''}${complete ? '' : '，不完整'}。`,
  nothingNew: '上次审查之后没有新内容。`@galley review all` 会重新读所有文件。',
  described: '说明已写在合并请求的标记段落里。',
  unknown: '没有看懂。',
  ended: (state) => `合并请求已${state === 'merged' ? '合并' : '关闭'}，没有审查。`,
  notPart: (path) => `${codeSpan(printablePath(path))} 不在这次改动里。`,
  noFinding: (findings) =>
    findings.length === 0
      ? '这个合并请求上没有问题。'
      : ['是哪一项？请在它的讨论里提问，或写编号的开头：', '', ...listed(findings)].join('\n'),
  noQuestion: '请在后面写上问题：`@galley ask 文件为空时会怎样？`',
  leftOut: (path, reason, isPartial) =>
    `- ${codeSpan(printablePath(path))}：${isPartial ? '只显示了一部分' : '未读'}（${reason}）`,
  shown: (path, page, pages) =>
    `- ${codeSpan(printablePath(path))}：已读${pages > 1 ? `，在第 ${page}/${pages} 页` : ''}`,
  nothingLeftOut: '这次改动没有未读的部分。',
  more: (count) => `- 另有 ${count} 个`,
  failed: (message) => `没有成功：${message}`,
  seen: (files, of) => (files === of ? '依据整个改动。' : `依据 ${of} 个改动文件中的 ${files} 个。`),
};

export function answerWords(language: ReportLanguage = 'en'): AnswerWords {
  return language === 'zh' ? chinese : english;
}
