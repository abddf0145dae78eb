// The page's side of the Electron door; it loads nothing of Galley.
export type { IpcClient } from './surfaces/ipc/ipc-answer.js';
export { type IpcBridge, ipcBridge, ipcClient } from './surfaces/ipc/preload-client.js';
