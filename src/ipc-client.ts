// The page's side of the Electron door; it loads nothing of Galley.
export { ipcBridge, ipcClient } from './surfaces/ipc/preload-client.js';
