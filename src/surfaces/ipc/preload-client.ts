// The two halves of a page's way to Galley. The bridge lives in the preload script and may cross contextBridge: it takes and gives
// only data, functions and promises. The client lives in the page, over the bridge.
import { GalleyError } from '../../core/model/error.js';
import type { AgentEvent } from '../../models/contract/agent-event.js';
import type { OperationProgress } from '../../operations/operation.js';
import type { EngineCall } from '../engine.js';
import {
  type IpcAnswer,
  type IpcClient,
  ipcChannels,
  isAnswer,
  openAnswer,
  refusedAnswer,
} from './ipc-answer.js';
import { plainData } from './plain-data.js';

export interface IpcRenderer {
  invoke(channel: string, ...args: unknown[]): Promise<unknown>;
  send(channel: string, ...args: unknown[]): void;
  on(channel: string, listener: (event: unknown, ...args: unknown[]) => void): unknown;
}

export interface StartedCall {
  readonly answer: Promise<IpcAnswer>;
  cancel(): void;
}

type Listeners = Pick<EngineCall, 'onText' | 'onEvent' | 'onProgress'>;

export interface IpcBridge {
  start(id: string, request: unknown, listeners?: Listeners): StartedCall;
}

/** For the preload script: `contextBridge.exposeInMainWorld('galley', ipcBridge(ipcRenderer))`. */
export function ipcBridge(ipcRenderer: IpcRenderer): IpcBridge {
  const listening = new Map<string, Listeners>();
  ipcRenderer.on(ipcChannels.text, (_, callId, text) => {
    if (typeof text === 'string') listening.get(String(callId))?.onText?.(text);
  });
  ipcRenderer.on(ipcChannels.event, (_, callId, event) => {
    listening.get(String(callId))?.onEvent?.(event as AgentEvent);
  });
  ipcRenderer.on(ipcChannels.progress, (_, callId, progress) => {
    listening.get(String(callId))?.onProgress?.(progress as OperationProgress);
  });
  // Two frames of one window share a sender, so their ids must differ.
  const own = crypto.getRandomValues(new Uint32Array(2)).join('-');
  let count = 0;
  return {
    start: (id, request, listeners = {}) => {
      count += 1;
      const callId = `${own}-${count}`;
      listening.set(callId, listeners);
      return {
        answer: ask(ipcRenderer, id, [request, callId]).finally(() => listening.delete(callId)),
        cancel: () => ipcRenderer.send(ipcChannels.cancel, callId),
      };
    },
  };
}

async function ask(
  ipcRenderer: IpcRenderer,
  id: string,
  [request, callId]: [unknown, string],
): Promise<IpcAnswer> {
  try {
    const answer = await ipcRenderer.invoke(id, plainData(request), callId);
    if (isAnswer(answer)) return answer;
    throw new GalleyError('INTERNAL', 'The other side of the channel does not speak like Galley.');
  } catch (error) {
    // Electron refuses a channel nobody handles with a sentence.
    return refusedAnswer(error);
  }
}

/** For the page: the operations over the bridge, with signals and errors as everywhere. */
export function ipcClient(bridge: IpcBridge): IpcClient {
  const call = async (id: string, request: unknown, { signal, ...listeners }: EngineCall = {}) => {
    if (signal?.aborted) throw new GalleyError('CANCELLED', 'The call was cancelled.');
    const { answer, cancel } = bridge.start(id, request, listeners);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return openAnswer(await answer);
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  };
  return { call } as IpcClient;
}
