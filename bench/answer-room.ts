// Does more room ever answer worse? Questions of public sets asked after all paragraphs, with little room left for passages; what
// counts is the prompt as context:assemble sets it.
import { promptedSearch } from './question-sets/prompted.js';
import { type QuestionSet, questionSets } from './question-sets/question-set.js';

const rooms = [100, 150, 300, 600];
const wanted = [0.82, 0.87, 0.94, 0.98];
/** Every n-th question, so that a set takes about a minute. */
const every = Number(process.argv[2] ?? 3);

interface Measured {
  readonly set: string;
  readonly questions: number;
  readonly present: readonly number[];
  /** Questions answered with less room and not with more. */
  readonly lost: number;
}

async function measure({ name, paragraphs, questions }: QuestionSet): Promise<Measured> {
  const search = await promptedSearch(paragraphs);
  const asked = questions.filter((_, index) => index % every === 0);
  const counts = rooms.map(() => 0);
  let lost = 0;
  for (const { text, answers } of asked) {
    let before = false;
    for (const [at, room] of rooms.entries()) {
      const prompt = await search.prompt(text, room);
      // The question itself stands in the prompt and answers nothing.
      const told = prompt.replace(text, '');
      const here = answers.some((answer) => told.includes(answer));
      if (here) counts[at]! += 1;
      else if (before) lost += 1;
      before = here;
    }
  }
  await search.close();
  return { set: name, questions: asked.length, present: counts.map((n) => n / asked.length), lost };
}

const results: Measured[] = [];
for (const set of questionSets()) results.push(await measure(set));

if (results.length === 0)
  console.log('answer-room: no question sets found; name their folder in GALLEY_BENCH_TEXT.');
else {
  console.log(`| answer present with room for | ${rooms.join(' | ')} | lost with more room |`);
  console.log(`|---|${rooms.map(() => '---|').join('')}---|`);
  for (const { set, present, lost } of results)
    console.log(`| ${set} | ${present.map((share) => share.toFixed(3)).join(' | ')} | ${lost} |`);
  const all = rooms.map((_, at) => {
    const questions = results.reduce((sum, result) => sum + result.questions, 0);
    return results.reduce((sum, result) => sum + result.present[at]! * result.questions, 0) / questions;
  });
  console.log(`| together | ${all.map((share) => share.toFixed(3)).join(' | ')} | |`);
  console.log(`| wanted | ${wanted.join(' | ')} | 0 |`);
}
console.log(`\n${JSON.stringify({ benchmark: 'answer-room', rooms, results })}`);
