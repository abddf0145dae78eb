import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cjkEstimateMeter } from './cjk-estimate-meter.js';
import { loadMeter } from './load-meter.js';

const chinese =
  '雨下了一整夜。林若溪推开窗，看见院子里的石榴树倒了半边，红艳艳的花瓣贴在青石板上，像谁打翻了胭脂盒。她想起祖父说过的话：“树倒了可以再种，人走了就真的走了。”\n';
const classical =
  '昔者庄周梦为胡蝶，栩栩然胡蝶也，自喻适志与！不知周也。俄然觉，则蘧蘧然周也。不知周之梦为胡蝶与，胡蝶之梦为周与？\n';
const traditional =
  '臺北的雨總是下得纏綿，騎樓底下擠滿了躲雨的學生，鹹酥雞的香氣在濕漉漉的空氣裡瀰漫開來。\n';
const japanese =
  '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた。\n';
const korean =
  '오늘은 하늘이 맑고 바람이 시원해서 친구와 함께 공원에 다녀왔습니다. 저녁에는 비가 온다고 합니다.\n';
const russian =
  'Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему.\n';
const street =
  '雨下了一整夜。林若溪推开窗，看见院子里的石榴树倒了半边，红艳艳的花瓣贴在青石板上，像谁打翻了胭脂盒。她想起祖父说过的话：树倒了可以再种，人走了就只剩下名字。巷口的早点铺已经支起了棚子，蒸笼里冒出的白气一团一团地往上升，卖豆浆的老人冲她点点头，问她今天还去不去码头。她说去，又说天晴了再去。\n';
const train =
  'The night train had been standing in the small station for almost an hour when the lights went out. Nobody spoke at first. Then an old woman in the corner laughed, said that this happened every winter, and began to peel an orange in the dark while the guard walked up and down the platform with his lantern.\n';
const grouping =
  "export function groupByFolder(paths: readonly string[]): Map<string, string[]> {\n  const groups = new Map<string, string[]>();\n  for (const path of paths) {\n    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));\n    const known = groups.get(folder) ?? [];\n    groups.set(folder, [...known, path]);\n  }\n  return groups;\n}\n";
const english =
  'It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness.\n';
const json = `${JSON.stringify([[1125, 1, 1182, 1], { id: '3fba7a5e7d92cdb69c817dd1570250', ok: null }], null, 1)}\n`;
const base64 = `${Buffer.from(Array.from({ length: 300 }, (_, index) => (index * index * 31 + index * 7) % 251)).toString('base64')}\n`;

const here = fileURLToPath(new URL('.', import.meta.url));
const sources = readdirSync(here)
  // A sparse bitmap in Base64 is no text.
  .filter((name) => name.endsWith('.ts') && name !== 'common-han.ts')
  .map((name) => [name, readFileSync(new URL(name, import.meta.url), 'utf8')] as const);
const prose = Object.entries({
  chinese,
  classical,
  traditional,
  japanese,
  korean,
  russian,
  english,
  json,
  base64,
});

describe('cjk-estimate', () => {
  it.each([...prose, ...sources])('does not weigh %s below o200k_base [chunk.meter]', async (_, text) => {
    const exact = await loadMeter('o200k_base');
    const ratio = cjkEstimateMeter.weigh(text) / cjkEstimateMeter.scale / exact.weigh(text);
    expect(ratio).toBeGreaterThanOrEqual(1);
    expect(ratio).toBeLessThan(2.2);
  });

  it('knows which Han characters are one token', async () => {
    const exact = await loadMeter('o200k_base');
    for (let unit = 0x4e00; unit <= 0x9fff; unit += 1) {
      const character = String.fromCharCode(unit);
      const single = exact.weigh(character) === 1;
      expect(cjkEstimateMeter.weigh(character) <= 100, character).toBe(single);
    }
  });

  it('is far above chars/4 for Chinese, which four characters per token under-count', async () => {
    const quarter = await loadMeter('chars/4');
    const share = quarter.weigh(chinese) / quarter.scale / (await loadMeter('o200k_base')).weigh(chinese);
    expect(share).toBeLessThan(0.5);
  });
});

describe('estimates of private tokenizers', () => {
  it.each([
    ['claude-estimate', english, 1.25],
    ['claude-estimate', chinese, 1.55],
    ['claude-estimate', classical, 1.55],
    ['claude-estimate-4.7', english, 1.6],
    ['claude-estimate-4.7', chinese, 1.55],
    ['gemini-estimate', english, 1.1],
    ['general-estimate', chinese, 1.5],
  ])('%s is on the safe side [budget.tokenizer]', async (id, text, factor) => {
    const base = await loadMeter('o200k_base');
    const meter = await loadMeter(id);
    expect(meter.exact).toBe(false);
    expect(meter.weigh(text) / meter.scale / base.weigh(text)).toBeGreaterThanOrEqual(factor);
  });

  // Exact counts by the vocabularies of Qwen 3 and DeepSeek V3.
  it.each([
    ['qwen-estimate', street, 112],
    ['qwen-estimate', train, 63],
    ['qwen-estimate', grouping, 81],
    ['deepseek-estimate', street, 102],
    ['deepseek-estimate', train, 63],
    ['deepseek-estimate', grouping, 87],
  ])('%s is close to the public vocabulary, on the safe side [W16]', async (id, text, exact) => {
    const meter = await loadMeter(id);
    expect(meter.exact).toBe(false);
    const ratio = meter.weigh(text) / meter.scale / exact;
    expect(ratio).toBeGreaterThanOrEqual(1);
    expect(ratio).toBeLessThan(1.15);
  });

  it('answers for a public vocabulary with its estimate until the package is there [W16]', async () => {
    const [meter, estimate] = [await loadMeter('qwen'), await loadMeter('qwen-estimate')];
    expect(meter.exact || meter === estimate).toBe(true);
    expect((await loadMeter('chinese-estimate')).weigh(street)).toBeLessThan(
      0.75 * (await loadMeter('general-estimate')).weigh(street),
    );
  });

  it('counts every digit where a model does', async () => {
    const meter = await loadMeter('gemini-estimate');
    expect(meter.weigh('314159265358') / meter.scale).toBeGreaterThanOrEqual(12);
  });
});
