// Galley behind Electron's ipcMain: one channel for each operation, named by its id. It is written against the few members it
// uses, so Electron is no dependency.
import { GalleyError } from '../../core/model/error.js';
import { hashText } from '../../meters/content-hash.js';
import type { Log } from '../../operations/operation.js';
import { operationIds } from '../../operations/table.js';
import type { Engine, EngineCall } from '../engine.js';
import { answerIpcCall, type IpcAnswer, ipcChannels, refusedAnswer } from './ipc-answer.js';
import { type RunningCalls, runningCalls } from './running-calls.js';

interface IpcSender {
  send(channel: string, ...args: unknown[]): void;
  once?(event: 'destroyed', listener: () => void): unknown;
  getURL?(): string;
}

export interface IpcMainEvent {
  readonly sender: IpcSender;
  /** Null when the frame has gone or moved on. */
  readonly senderFrame?: { readonly url: string; send?(channel: string, ...args: unknown[]): void } | null;
}

export interface IpcMain {
  handle(channel: string, listener: (event: IpcMainEvent, ...args: unknown[]) => Promise<unknown>): void;
  removeHandler(channel: string): void;
  on(channel: string, listener: (event: IpcMainEvent, ...args: unknown[]) => void): unknown;
  removeListener(channel: string, listener: (event: IpcMainEvent, ...args: unknown[]) => void): unknown;
}

export interface RegisterIpcOptions {
  /** Addresses below which pages may call, of file: or app:. Without these and `allow` nobody may. */
  readonly origins?: readonly string[];
  /** Decides by the address of the calling frame, in place of `origins`. */
  readonly allow?: (url: string, event: IpcMainEvent) => boolean;
  readonly log?: Log;
}

export interface IpcRegistration {
  /** Takes the channels back and cancels what runs. */
  close(): void;
}

export function registerIpc(
  ipcMain: IpcMain,
  engine: Engine,
  options: RegisterIpcOptions = {},
): IpcRegistration {
  const { allow = allowBelow(options.origins ?? []), log = () => undefined } = options;
  const callers = new Map<IpcSender, RunningCalls>();

  const isAllowed = (event: IpcMainEvent) => {
    const { senderFrame, sender } = event;
    const url = senderFrame === undefined ? (sender.getURL?.() ?? '') : (senderFrame?.url ?? '');
    if (url !== '' && isTrue(() => allow(url, event))) return true;
    log({ level: 'security', event: 'IPC_SENDER_REFUSED', details: { sender: hashText(url).slice(0, 16) } });
    return false;
  };

  const callsOf = (sender: IpcSender) => {
    const known = callers.get(sender);
    if (known !== undefined) return known;
    const calls = runningCalls();
    callers.set(sender, calls);
    sender.once?.('destroyed', () => {
      calls.cancelAll();
      callers.delete(sender);
    });
    return calls;
  };

  let count = 0;
  const handle = async (
    operation: string,
    event: IpcMainEvent,
    [request = {}, callId]: unknown[],
  ): Promise<IpcAnswer> => {
    if (!isAllowed(event)) {
      return refusedAnswer(new GalleyError('FORBIDDEN', 'This page may not call Galley.'));
    }
    const isNamed = typeof callId === 'string' && callId !== '' && callId.length <= 100;
    if (callId !== undefined && !isNamed) {
      return refusedAnswer(new GalleyError('INVALID_ARGUMENT', 'callId: must be a short text.'));
    }
    count += 1;
    const id = isNamed ? callId : count;
    const calls = callsOf(event.sender);
    const signal = calls.begin(id);
    if (signal === undefined) {
      return refusedAnswer(new GalleyError('INVALID_ARGUMENT', 'callId: is in use by another call.'));
    }
    try {
      return await answerIpcCall(
        engine,
        { operation, request },
        { signal, ...(isNamed ? streamTo(event, callId) : {}) },
      );
    } finally {
      calls.end(id);
    }
  };

  const cancel = (event: IpcMainEvent, ...[callId]: unknown[]) => {
    if (typeof callId === 'string' && isAllowed(event)) callers.get(event.sender)?.cancel(callId);
  };

  for (const id of operationIds) ipcMain.handle(id, (event, ...args) => handle(id, event, args));
  ipcMain.on(ipcChannels.cancel, cancel);
  return {
    close: () => {
      for (const id of operationIds) ipcMain.removeHandler(id);
      ipcMain.removeListener(ipcChannels.cancel, cancel);
      for (const calls of callers.values()) calls.cancelAll();
    },
  };
}

/** A question that fails is answered with no. */
function isTrue(ask: () => unknown): boolean {
  try {
    return ask() === true;
  } catch {
    return false;
  }
}

function streamTo({ sender, senderFrame }: IpcMainEvent, callId: string): EngineCall {
  const send = (channel: string, value: unknown) => {
    try {
      if (senderFrame?.send === undefined) sender.send(channel, callId, value);
      else senderFrame.send(channel, callId, value);
    } catch {
      // The page has gone; its calls end by themselves.
    }
  };
  return {
    onText: (text) => send(ipcChannels.text, text),
    onEvent: (event) => send(ipcChannels.event, { ...event }),
    onProgress: (progress) => send(ipcChannels.progress, { ...progress }),
  };
}

const ownSchemes: ReadonlySet<string> = new Set(['file:', 'app:']);

/**
 * Addresses like `app://main/` or `file:///opt/studio/`, only of the own schemes of an application; a page is allowed when its
 * address lies below one of them.
 */
function allowBelow(addresses: readonly string[]): (url: string) => boolean {
  const listed = addresses.map((address) => {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const place = url !== undefined && ownSchemes.has(url.protocol) ? placeOf(url) : undefined;
    if (place !== undefined) return place;
    throw new GalleyError(
      'INVALID_ARGUMENT',
      'origins: list addresses of file: or app: pages, without encoded slashes or dots; pass an allow function for anything else.',
    );
  });
  return (address) => {
    const page = URL.canParse(address) ? placeOf(new URL(address)) : undefined;
    if (page === undefined) return false;
    const { protocol, host, path } = page;
    return listed.some(
      (place) =>
        place.protocol === protocol &&
        place.host === host &&
        (place.path === path || path.startsWith(place.path.endsWith('/') ? place.path : `${place.path}/`)),
    );
  };
}

function placeOf({ protocol, host, username, password, pathname }: URL) {
  // An encoded slash or dot is read as one by whoever opens the file.
  if (/%2f|%5c|%2e|\\/i.test(pathname)) return undefined;
  return { protocol, host: `${username}:${password}@${host}`, path: pathname || '/' };
}
