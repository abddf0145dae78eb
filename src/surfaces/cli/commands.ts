// Every command of the shell, in the order of help. Here it gets its flags; what it does is loaded when it runs.
import type { Command } from 'commander';
import { registerAgent } from './register-agent.js';
import { registerCall } from './register-call.js';
import { registerCompletion } from './register-completion.js';
import { registerDoctor } from './register-doctor.js';
import { registerInit } from './register-init.js';
import { registerMcp } from './register-mcp.js';
import { registerReceipts } from './register-receipts.js';
import { registerReport } from './register-report.js';
import { registerReview } from './register-review.js';
import { registerSchema } from './register-schema.js';
import { registerServe } from './register-serve.js';
import { registerWrite } from './register-write.js';

export const commands = {
  review: registerReview,
  report: registerReport,
  agent: registerAgent,
  write: registerWrite,
  receipts: registerReceipts,
  call: registerCall,
  serve: registerServe,
  mcp: registerMcp,
  schema: registerSchema,
  init: registerInit,
  doctor: registerDoctor,
  completion: registerCompletion,
} satisfies Readonly<Record<string, (command: Command) => void>>;

export type CommandName = keyof typeof commands;

export const commandNames = Object.keys(commands) as readonly CommandName[];

export function isCommandName(name: string | undefined): name is CommandName {
  return name !== undefined && Object.hasOwn(commands, name);
}
