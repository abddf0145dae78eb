// Log lines go to stderr as JSON: security lines always, the rest when GALLEY_LOG is set.
import type { Log } from '../../operations/log.js';

export const shellLog: Log = (line) => {
  if (line.level !== 'security' && !process.env.GALLEY_LOG) return;
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`);
};
