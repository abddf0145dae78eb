// Questions with the paragraph that answers each, read from a public reading-comprehension file.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Question {
  readonly paragraph: number;
  readonly text: string;
  readonly answers: readonly string[];
}

export interface QuestionSet {
  readonly name: string;
  readonly paragraphs: readonly string[];
  readonly questions: readonly Question[];
}

const folder = process.env.GALLEY_BENCH_TEXT ?? join(process.cwd(), '../shared/data/text');
const files = ['cmrc2018-trial.json', 'xquad.zh.json', 'xquad.en.json'];

/** Those that are at hand. */
export function questionSets(): QuestionSet[] {
  return files.filter((file) => existsSync(join(folder, file))).map(loadSet);
}

function loadSet(file: string): QuestionSet {
  const parsed = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
    data: { paragraphs: { context: string; qas: { question: string; answers: { text: string }[] }[] }[] }[];
  };
  const paragraphs: string[] = [];
  const questions: Question[] = [];
  for (const { context, qas } of parsed.data.flatMap((article) => article.paragraphs)) {
    for (const { question, answers } of qas) {
      questions.push({
        paragraph: paragraphs.length,
        text: question,
        answers: answers.map((answer) => answer.text),
      });
    }
    paragraphs.push(context);
  }
  return { name: file.replace('.json', ''), paragraphs, questions };
}
