// The plan of a chapter's scene: who sees it, where and when it plays, who is there, and the beats it goes through. Everything else a
// writer notes there is kept, and goes into the prompt as it stands.
export interface SceneFields {
  readonly pov?: string | undefined;
  readonly place?: string | undefined;
  readonly time?: string | undefined;
  readonly people?: string | undefined;
  /** Added behind those that are there. */
  readonly beats?: readonly string[] | undefined;
}

type Named = Exclude<keyof SceneFields, 'beats'>;

const forms: Readonly<Record<Named, { readonly line: RegExp; readonly zh: string; readonly en: string }>> = {
  pov: {
    line: /^[^\S\n]*(?:[-*]\s+)?(?:视角|point of view|pov)\s*[:：].*$/imu,
    zh: '视角',
    en: 'Point of view',
  },
  place: { line: /^[^\S\n]*(?:[-*]\s+)?(?:地点|place|setting)\s*[:：].*$/imu, zh: '地点', en: 'Place' },
  time: { line: /^[^\S\n]*(?:[-*]\s+)?(?:时间|time)\s*[:：].*$/imu, zh: '时间', en: 'Time' },
  people: { line: /^[^\S\n]*(?:[-*]\s+)?(?:人物|people|cast)\s*[:：].*$/imu, zh: '人物', en: 'People' },
};
const beatsHeading = { line: /^#{1,6}\s*(?:节拍|beats)\s*$/imu, zh: '节拍', en: 'Beats' };

/** The card with these fields changed; the rest of it stays as it is. */
export function withSceneFields(card: string, fields: SceneFields, language: 'zh' | 'en'): string {
  const mark = language === 'zh' ? '：' : ': ';
  let text = card.replace(/\s+$/u, '');
  for (const [name, { line, ...words }] of Object.entries(forms) as [Named, (typeof forms)[Named]][]) {
    const value = fields[name]?.replace(/\s+/gu, ' ').trim();
    if (value === undefined || value === '') continue;
    const said = `${words[language]}${mark}${value}`;
    if (line.test(text)) text = text.replace(line, () => said);
    else text = withLine(text, said);
  }
  const beats = (fields.beats ?? []).map((beat) => `- ${beat.replace(/\s+/gu, ' ').trim()}`);
  if (beats.length > 0) text = withBeats(text, beats, language);
  return text === '' ? '' : `${text}\n`;
}

/** Fields stand before the beats. */
function withLine(text: string, line: string): string {
  const at = beatsHeading.line.exec(text)?.index;
  if (at === undefined) return text === '' ? line : `${text}\n${line}`;
  return `${`${text.slice(0, at).trimEnd()}\n${line}`.trimStart()}\n\n${text.slice(at)}`;
}

function withBeats(text: string, beats: readonly string[], language: 'zh' | 'en'): string {
  const heading = beatsHeading.line.exec(text);
  if (heading === null)
    return `${text === '' ? '' : `${text}\n\n`}## ${beatsHeading[language]}\n\n${beats.join('\n')}`;
  const from = heading.index + heading[0].length;
  const next = /^#{1,6}\s/mu.exec(text.slice(from));
  const until = next === null ? text.length : from + next.index;
  const own = text.slice(0, until).trimEnd();
  const rest = text.slice(until);
  return `${own}\n${beats.join('\n')}${rest === '' ? '' : `\n\n${rest}`}`;
}
