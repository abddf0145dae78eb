// A report in the form that was asked for.
import { writeJson } from './json-report.js';
import type { Report } from './report.js';
import { writeAnnotations } from './write-annotations.js';
import { writeGitlab } from './write-gitlab.js';
import { writeMarkdown } from './write-markdown.js';
import { writeRdjson, writeRdjsonl } from './write-rdjson.js';
import { writeSarif } from './write-sarif.js';

const writers = {
  markdown: (report: Report) => writeMarkdown(report),
  json: writeJson,
  sarif: writeSarif,
  rdjson: writeRdjson,
  rdjsonl: writeRdjsonl,
  gitlab: writeGitlab,
  github: (report: Report) => {
    const { commands, summary } = writeAnnotations(report);
    return commands + summary;
  },
} as const;

export type ReportFormat = keyof typeof writers;

export const reportFormats = Object.keys(writers) as ReportFormat[];

export function writeReport(report: Report, format: ReportFormat): string {
  return writers[format](report);
}
