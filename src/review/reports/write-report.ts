// A report in the form that was asked for.
import { writeJson } from './json-report.js';
import type { Report } from './report.js';
import type { ReportLanguage } from './report-language.js';
import { writeAnnotations } from './write-annotations.js';
import { writeGitlab } from './write-gitlab.js';
import { writeMarkdown } from './write-markdown.js';
import { writeRdjson, writeRdjsonl } from './write-rdjson.js';
import { writeSarif } from './write-sarif.js';

/** For people; what machines read is the same in every language. */
export interface Wording {
  readonly language?: ReportLanguage | undefined;
  /** The coverage in that language; without it the line of the report. */
  readonly coverage?: string | undefined;
}

const writers = {
  markdown: (report: Report, wording: Wording) => writeMarkdown(report, wording),
  json: (report: Report) => writeJson(report),
  sarif: (report: Report) => writeSarif(report),
  rdjson: (report: Report) => writeRdjson(report),
  rdjsonl: (report: Report) => writeRdjsonl(report),
  gitlab: (report: Report, { language }: Wording) => writeGitlab(report, language),
  github: (report: Report, { language }: Wording) => {
    const { commands, summary } = writeAnnotations(report, { language });
    return commands + summary;
  },
} as const;

export type ReportFormat = keyof typeof writers;

export const reportFormats = Object.keys(writers) as ReportFormat[];

export function writeReport(report: Report, format: ReportFormat, wording: Wording = {}): string {
  return writers[format](report, wording);
}
