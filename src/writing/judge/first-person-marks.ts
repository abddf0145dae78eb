// Where does a narration say "I"? Idioms, numerals and thoughts that are only reported do not count.

const chinese = /我们|我|咱们|咱|俺们|俺|吾/gu;
const chineseIdioms =
  /自我|忘我|无我|大我|小我|本我|超我|唯我独尊|我行我素|你死我活|你追我赶|你来我往|你争我夺|你一言[，]?我一语|你一句[，]?我一句|你我|我见犹怜|非我莫属|舍我其谁|敌我|时不我待|物我|卿卿我我|你[\p{sc=Han}]{1,3}我[，、]?我[\p{sc=Han}]{1,3}你|你[\p{sc=Han}]{1,5}我(?=[\p{sc=Han}]{1,4}(?:[，。！？；、．]|$))|支吾|昆吾|伊吾/gu;
/** 她想，我不能输: the thought belongs to the one who thinks it. */
const chineseThought =
  /(?:[心暗]?想|心道|暗道|自问|问自己|告诉自己|对自己说|提醒自己|默念|心里说|心说|嘀咕)[，：:][^。！？\n]*|[说道写问答回喊念字话信][^。！？\n：:]{0,6}[：:][^。！？\n]*|(?<=^|[。！？\n])[^。！？\n]{1,80}[？！，](?:他|她|[\p{sc=Han}]{2,3})(?:心里|心|暗|暗暗)?想(?=[。，])/gu;

const english =
  /(?<![\p{L}\p{N}'’])(?:I(?:['’](?:m|ve|d|ll))?|[Mm]e|[Mm]y|[Mm]yself|[Ww]e(?:['’](?:re|ve|d|ll))?|[Uu]s|[Oo]urs?|[Oo]urselves)(?![\p{L}\p{N}'’])|(?<=\b(?:of|is|was|were|be|been|not) )mine(?!\p{L})/gu;
const functionWords = new Set(
  'And But Then When If So Yet As While Since Before After Because Though Although Until Now Today Yesterday Tonight Here There Still Perhaps Maybe Or Once Where What How Why That Which Did Do Was Am Had Have Could Would Should Can Will May Must Never Nor Not Only Even Later Soon Sometimes Often Always For Like Than Suddenly Finally Instead Meanwhile Besides Somehow Yes No Well Oh Whatever Whenever Wherever Unless Whether Last Next This Everything Nothing All Everyone Nobody'.split(
    ' ',
  ),
);
const englishThought =
  /\b(?:thought|wondered|told (?:him|her)self|asked (?:him|her)self)[,:] [^.!?\n]*|(?<=^|[.!?\n] ?)[^.!?\n]{1,160}[?!,] (?:he|she|\p{Lu}\p{L}+) (?:thought|wondered|(?:asked|told) (?:him|her)self)\b/gu;

export interface Place {
  readonly start: number;
  readonly end: number;
}

export function firstPersonMarks(narration: string): readonly Place[] {
  const excluded = new Set<number>();
  for (const pattern of [chineseIdioms, chineseThought, englishThought]) {
    for (const { index, 0: surface } of narration.matchAll(pattern)) {
      for (let at = index; at < index + surface.length; at += 1) excluded.add(at);
    }
  }
  return [...narration.matchAll(chinese), ...narration.matchAll(english)]
    .filter(
      ({ index, 0: surface }) =>
        !excluded.has(index) && (surface !== 'I' || !isRomanNumeral(narration, index)),
    )
    .map(({ index, 0: surface }) => ({ start: index, end: index + surface.length }))
    .sort((left, right) => left.start - right.start);
}

/** Charles I, World War I: a capitalised word stands right before it, and it opens no sentence. */
function isRomanNumeral(text: string, index: number): boolean {
  const before = /(\p{Lu}[\p{L}'’]+)[ \u00a0]$/u.exec(text.slice(Math.max(0, index - 40), index))?.[1];
  return before !== undefined && !functionWords.has(before);
}
