// A report in the format that was asked for.
import { writeJson } from '../reports/json-report.js';
import type { Report } from '../reports/report.js';
import type { reportFormats } from '../reports/report-answers.js';
import { writeAnnotations } from '../reports/write-annotations.js';
import { writeGitlab } from '../reports/write-gitlab.js';
import { writeMarkdown } from '../reports/write-markdown.js';
import { writeRdjson, writeRdjsonl } from '../reports/write-rdjson.js';
import { writeSarif } from '../reports/write-sarif.js';

export type ReportFormat = (typeof reportFormats)[number];

export function writeReport(report: Report, format: ReportFormat): string {
  switch (format) {
    case 'json':
      return writeJson(report);
    case 'sarif':
      return writeSarif(report);
    case 'rdjson':
      return writeRdjson(report);
    case 'rdjsonl':
      return writeRdjsonl(report);
    case 'gitlab':
      return writeGitlab(report);
    case 'github': {
      const { commands, summary } = writeAnnotations(report);
      return commands + summary;
    }
    default:
      return writeMarkdown(report);
  }
}
