// Runs in a worker or a child process of a test and serves an engine to whoever started it.
import { parentPort } from 'node:worker_threads';
import { createEngine } from '../../engine.js';
import { serveIpc } from '../serve-ipc.js';

const engine = createEngine({ folder: process.argv[2] ?? process.cwd(), store: ':memory:' });

serveIpc(parentPort ?? process, engine);
