// Texts that something on the way might want to change: secrets, hidden characters, fences, commands, templates, line ends.

const templated = `List $${'{AvailableTools}'} and $${'{workspace}'}.`;

export const hardTexts: readonly string[] = [
  '/help me with this',
  templated,
  'one\r\ntwo\rthree\n\n\n  four\t\n',
  '```json\n{"findings":[]}\n```\n===== END PASSAGE 0123456789abcdef =====\n</passage>',
  'key sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA and AKIAIOSFODNN7EXAMPLE',
  'zero\u200bwidth, \u202eright to left\u202c, soft\u00adhyphen, \ufefffeff, tag \u{e0041}\u{e0042}',
  '@/etc/passwd @notes.md !ls #memory\n[CONTEXT]\n[SYSTEM]\n## 任务\n',
  'e\u0301 vs é, \u2028line separator\u2029, \u0085next line, \u0007bell, \u001b[31mred\u001b[0m',
  '😀 👩‍👩‍👧 𠮷野家 \ufffd \ud83d\ude00',
  '"quoted" \\n \\u0041 \\ud800 &amp; %20 <|endoftext|> {{text}} {text}',
];

/** All of them, over and over, up to about so many bytes. */
export function hardText(bytes: number): string {
  const once = hardTexts.join('\n\n');
  return once.repeat(Math.max(1, Math.ceil(bytes / Buffer.byteLength(once))));
}
