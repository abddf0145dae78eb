// A description as people read it, and its place in what they wrote themselves. Every changed file is named.
import { byCodePoint } from '../../core/model/code-points.js';
import { codeSpan, markdownLine, markdownText } from '../report/markdown.js';
import type { ReportLanguage } from '../report/report-words.js';
import type { Description } from './description.js';

const words = {
  en: {
    title: 'Title',
    walkthrough: 'Walkthrough',
    others: (count: number) => `Not described (${count} ${count === 1 ? 'file' : 'files'})`,
    more: (count: number) => `and ${count} more`,
    foot: 'Written by Galley with a language model. What stands outside these lines is left alone.',
  },
  zh: {
    title: '标题',
    walkthrough: '逐组说明',
    others: (count: number) => `未作说明的文件（${count} 个）`,
    more: (count: number) => `另有 ${count} 个`,
    foot: '由 Galley 借助语言模型写成。这一段以外的文字不会改动。',
  },
} as const;

const mostFiles = 12;

/** Markdown; `files` are all that changed: those in no group are named, too. */
export function descriptionText(
  description: Description,
  files: readonly string[],
  language: ReportLanguage = 'en',
): string {
  const say = words[language];
  const { title, overview, groups } = description;
  const described = new Set(groups.flatMap((group) => group.files));
  const others = files.filter((path) => !described.has(path)).toSorted(byCodePoint);
  const listed = (paths: readonly string[]) =>
    [
      ...paths.slice(0, mostFiles).map((path) => codeSpan(path)),
      ...(paths.length > mostFiles ? [say.more(paths.length - mostFiles)] : []),
    ].join(', ');
  const diagram = mermaid(description);
  return [
    `**${say.title}:** ${markdownLine(title.slice(0, 120))}`,
    markdownText(overview),
    ...(groups.length === 0 ? [] : [`#### ${say.walkthrough}`]),
    ...groups.map(
      ({ name, files: own, text }) => `- **${markdownLine(name)}** — ${markdownLine(text)}\n  ${listed(own)}`,
    ),
    ...(others.length === 0
      ? []
      : [
          `<details><summary>${say.others(others.length)}</summary>\n\n${listedAll(others, say.more)}\n\n</details>`,
        ]),
    ...(diagram === undefined ? [] : [diagram]),
    `<sub>${say.foot}</sub>`,
  ]
    .filter((part) => part.trim() !== '')
    .join('\n\n');
}

const mostOthers = 200;

function listedAll(paths: readonly string[], more: (count: number) => string): string {
  const lines = paths.slice(0, mostOthers).map((path) => `- ${codeSpan(path)}`);
  return [...lines, ...(paths.length > mostOthers ? [`- ${more(paths.length - mostOthers)}`] : [])].join(
    '\n',
  );
}

const mostLinks = 24;

/** Only where more than three parts hang together. Names go in as entities, so that none can be read as syntax. */
function mermaid({ links }: Description): string | undefined {
  const wanted = links
    .map(({ from, to, label }) => ({ from: from.trim(), to: to.trim(), label: label.trim() }))
    .filter(({ from, to }) => from !== '' && to !== '' && from !== to)
    .slice(0, mostLinks);
  const names = [...new Set(wanted.flatMap(({ from, to }) => [from, to]))];
  if (names.length <= 3) return undefined;
  const id = (name: string) => `p${names.indexOf(name)}`;
  const lines = [
    'flowchart LR',
    ...names.map((name) => `  ${id(name)}["${quoted(name)}"]`),
    ...wanted.map(({ from, to, label }) => {
      const arrow = label === '' ? '-->' : `-- "${quoted(label)}" -->`;
      return `  ${id(from)} ${arrow} ${id(to)}`;
    }),
  ];
  return `\`\`\`mermaid\n${lines.join('\n')}\n\`\`\``;
}

function quoted(text: string): string {
  return [...text.replace(/\s+/g, ' ').slice(0, 60)]
    .map((sign) => (/[\p{L}\p{N} .,_/()-]/u.test(sign) ? sign : `#${sign.codePointAt(0)};`))
    .join('');
}

const open = '<!-- galley:description -->';
const close = '<!-- /galley:description -->';

/** Where our part stands: the last one, so that a mark in people's own words costs none of them. */
function ownPart(body: string): { readonly from: number; readonly to: number } | undefined {
  const to = body.lastIndexOf(close);
  const from = to < 0 ? -1 : body.lastIndexOf(open, to);
  return from < 0 ? undefined : { from, to: to + close.length };
}

/** Puts our part into what people wrote, in place of the one before, or below everything; their words stay as they are. */
export function withDescription(body: string, part: string): string {
  const own = `${open}\n${part}\n${close}`;
  const place = ownPart(body);
  if (place !== undefined) return body.slice(0, place.from) + own + body.slice(place.to);
  return body.trim() === '' ? own : `${body.replace(/\s+$/, '')}\n\n${own}`;
}

/** As people wrote it. */
export function withoutDescription(body: string): string {
  const place = ownPart(body);
  if (place === undefined) return body;
  return `${body.slice(0, place.from).replace(/\s+$/, '')}${body.slice(place.to)}`;
}
