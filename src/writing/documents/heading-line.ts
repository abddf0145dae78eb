// Is this line the name of a chapter or of a part? 第十二回 …, 卷一 …, 楔子, Chapter IV: …, PART ONE, Epilogue.
// A line that goes on like a sentence is none: 第一章的时候他还小。

export interface HeadingLine {
  readonly rank: 'volume' | 'chapter';
  /** Equal for a line of a table of contents and the heading it speaks of. */
  readonly key: string;
}

const longestChinese = 60;
const longestEnglish = 100;
const numerals = '[0-9０-９零〇一二两三四五六七八九十百千万壹贰叁肆伍陆柒捌玖拾佰仟廿卅]{1,9}';
/** What collections of texts put before it: 正文 第一章, 《书名》目录 第一回. */
const before = '(?:《[^》]{0,30}》\\s*)?(?:(?:正文|目录|目錄)\\s*)?';
const chapterWord = new RegExp(`第\\s*${numerals}\\s*[章回节節话話折集出幕篇]`, 'u');
const chineseChapter = new RegExp(`^${before}${chapterWord.source}(.*)$`, 'u');
const chineseVolume = new RegExp(`^${before}(?:第\\s*${numerals}\\s*[卷部]|卷\\s*${numerals})(.*)$`, 'u');
const named =
  /^(?:楔子|引子|引言|序章|序幕|序言|序|自序|前言|尾声|尾聲|终章|終章|后记|後記|跋|附录|附錄|番外)(.*)$/u;
const englishNumber =
  '(?:[0-9]{1,4}|[ivxlc]{1,8}|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|the|first|second|third|last)(?:[\\s-]+(?:and[\\s-]+)?(?:one|two|three|four|five|six|seven|eight|nine|ten|hundred|first|second|third))*)';
const englishChapter = new RegExp(
  `^(chapter|episode|letter|canto)\\s+${englishNumber}(?![\\w'’])(.*)$`,
  'iu',
);
const englishVolume = new RegExp(
  `^(part|book|volume|act)\\s+(?:the\\s+)?${englishNumber}(?![\\w'’])(.*)$`,
  'iu',
);
const englishNamed =
  /^(?:prologue|epilogue|preface|foreword|introduction|afterword|interlude|appendix)(?![\w'’])(.*)$/iu;

/** What follows the number: nothing, or a name set off from it. */
const goesOn = /^[的里裡中是在就也还還了着到，。、；,;]/u;
const sentenceEnd = /[。．；;，,…]["”’」』]?$/u;

export function readHeadingLine(line: string): HeadingLine | undefined {
  const words = line.trim();
  if (words.length === 0 || words.length > longestEnglish) return undefined;
  const volume = after(words, chineseVolume, isChineseName) ?? after(words, englishVolume, isEnglishName);
  // 第一卷 风起 第三章 入城: the chapter is what begins here.
  if (volume !== undefined)
    return { rank: chapterWord.test(volume) ? 'chapter' : 'volume', key: keyOf(words) };
  const chapter =
    after(words, chineseChapter, isChineseName) ??
    after(words, named, isSetOff) ??
    after(words, englishChapter, isEnglishName) ??
    after(words, englishNamed, (name) => isSetOff(name) && isEnglishName(name));
  return chapter === undefined ? undefined : { rank: 'chapter', key: keyOf(words) };
}

function after(line: string, pattern: RegExp, isName: (rest: string) => boolean): string | undefined {
  const rest = pattern.exec(line)?.at(-1);
  return rest !== undefined && isName(rest) ? rest : undefined;
}

function isChineseName(rest: string): boolean {
  return rest.length <= longestChinese && !goesOn.test(rest) && !sentenceEnd.test(rest);
}

/** Blanks, a colon or a dash part a name from what it names; 序幕拉开了 is a sentence. */
function isSetOff(rest: string): boolean {
  return (
    rest === '' ||
    (/^[\s\u3000:：.．·—–-]/u.test(rest) && isChineseName(rest)) ||
    /^[一二三四五六七八九十\d]{1,3}(?=$|[\s\u3000:：])/u.test(rest)
  );
}

function isEnglishName(rest: string): boolean {
  if (rest === '' || /^[.:]?$/.test(rest.trim())) return true;
  // "Part one of the plan was simple." goes on in small letters and ends like a sentence.
  if (!/^\s*[:.—–-]|^\s+/u.test(rest)) return false;
  const isSetOffBySign = /^\s*[:.—–-]/u.test(rest);
  return isSetOffBySign ? !/[,;]$/.test(rest) : /^\s+[^\p{Ll}]/u.test(rest) && !/[,;.]$/.test(rest);
}

/** Without the dots and the page number that lines of a table of contents end with. */
function keyOf(words: string): string {
  return words
    .normalize('NFKC')
    .replace(/[\s.·…_-]+\d{1,5}$/u, '')
    .replace(/[\s.·…:：—–-]+/gu, '')
    .toLowerCase();
}
