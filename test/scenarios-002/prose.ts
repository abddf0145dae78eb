// Chinese prose of a given size in tokens, always the same, with the words one wants in it.
import type { Meter } from '../../src/core/model/meter.js';
import { loadMeter } from '../../src/meters/load-meter.js';

const subjects = ['渡口', '灯塔', '旧船', '石桥', '北风', '雨巷', '钟楼', '麦田', '铁轨', '山寺'];
const actions = [
  '沉默着',
  '慢慢亮起',
  '被雾遮住',
  '响了一声',
  '空无一人',
  '落满尘土',
  '等着天明',
  '退到远处',
];

/** At most `tokens` and at least `tokens - 12` of them; `salt` makes texts differ, `words` stand in every sentence. */
export async function prose(tokens: number, salt = 0, words = ''): Promise<string> {
  const meter = await loadMeter('o200k_base');
  let text = '';
  for (let index = 0; ; index += 1) {
    const at = index * 7 + salt * 13;
    const sentence = `${subjects[at % subjects.length]}${words}${actions[(at + salt) % actions.length]}，第${at}日。`;
    if (meter.weigh(text + sentence) > tokens) return filled(text, tokens, meter);
    text += sentence;
    if (index % 6 === 5) text += '\n';
  }
}

function filled(text: string, tokens: number, meter: Meter): string {
  let longer = text;
  while (meter.weigh(`${longer}风。`) <= tokens) longer += '风。';
  return longer;
}

export async function tokensOf(text: string): Promise<number> {
  return (await loadMeter('o200k_base')).weigh(text);
}
