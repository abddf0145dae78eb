// The door for other parts of a program: Electron windows, worker threads, child processes.
export { createEngine, type Engine, type EngineOptions, type OpenEngine } from './surfaces/engine.js';
export { connectIpc } from './surfaces/ipc/connect-ipc.js';
export { registerIpc } from './surfaces/ipc/register-ipc.js';
export { serveIpc } from './surfaces/ipc/serve-ipc.js';
