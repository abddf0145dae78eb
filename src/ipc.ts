// The door for other parts of a program: Electron windows, worker threads, child processes.
export {
  createEngine,
  type Engine,
  type EngineCall,
  type EngineOptions,
  type OpenEngine,
} from './surfaces/engine.js';
export { type ConnectedIpc, connectIpc } from './surfaces/ipc/connect-ipc.js';
export type { IpcPort } from './surfaces/ipc/ipc-port.js';
export { type IpcRegistration, type RegisterIpcOptions, registerIpc } from './surfaces/ipc/register-ipc.js';
export { type ServedIpc, serveIpc } from './surfaces/ipc/serve-ipc.js';
