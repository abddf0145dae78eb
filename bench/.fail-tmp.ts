import { promptedSearch } from './question-sets/prompted.js';
import { questionSets } from './question-sets/question-set.js';

const [which, roomText, every] = [process.argv[2], process.argv[3], Number(process.argv[4] ?? 6)];
const set = questionSets().find(({ name }) => name === which)!;
const search = await promptedSearch(set.paragraphs);
let n = 0,
  fails = 0,
  wrongPara = 0,
  inPara = 0;
for (const [i, q] of set.questions.entries()) {
  if (i % every) continue;
  n += 1;
  const prompt = (await search.prompt(q.text, Number(roomText))).replace(q.text, '');
  if (q.answers.some((a) => prompt.includes(a))) continue;
  fails += 1;
  const para = set.paragraphs[q.paragraph]!;
  const body = prompt.split('\n').slice(1).join('\n');
  const first = body.split('\n\n')[0]!.split('……')[0]!.split(' … ')[0]!.slice(0, 12);
  const right = para.includes(first);
  if (!right) wrongPara += 1;
  else inPara += 1;
  if (fails <= 14)
    console.log(
      `Q ${q.text}\nA ${q.answers[0]}  @${para.indexOf(q.answers[0]!)}/${para.length} right=${right}\nP ${body.slice(0, 420).replace(/\n/g, '⏎')}\n`,
    );
}
console.log({ n, fails, wrongPara, inPara });
await search.close();
