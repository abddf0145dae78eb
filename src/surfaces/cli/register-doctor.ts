import type { Command } from 'commander';
import { word } from './words/word.js';

export function registerDoctor(doctor: Command): void {
  doctor
    .option('--store <file>', word('flag.store'))
    .option('--json', word('flag.json'))
    .action(async (options) => (await import('./doctor/doctor-command.js')).doctorCommand(options));
}
