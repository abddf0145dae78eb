// What a server is started with. Limits have defaults that suit one machine and a few people.
import type { Model } from '../../models/contract/model.js';
import type { Log, OperationContext } from '../../operations/operation.js';
import type { Store } from '../../store/store.js';
import type { PageDoor } from '../page/page-door.js';
import type { TokenSource } from './access/access-tokens.js';
import type { TlsMaterial } from './tls-material.js';

export interface ServeLimits {
  readonly bodyBytes: number;
  /** Of all bodies being read or worked on; one caller has half of it at most. */
  readonly allBodyBytes: number;
  readonly atOnce: number;
  /** Of one caller. */
  readonly waiting: number;
  readonly patienceMs: number;
  /** So many of one caller may wait for `queueMs`. */
  readonly queued: number;
  readonly queueMs: number;
  /** Calls of one caller. */
  readonly perSecond: number;
  readonly connections: number;
  readonly headersMs: number;
  /** For a whole request to arrive. */
  readonly requestMs: number;
  /** For a caller that does not take its answer. */
  readonly idleMs: number;
  readonly heartbeatMs: number;
  readonly unreadBytes: number;
  /** How long running calls may go on when the server closes. */
  readonly graceMs: number;
}

const megabyte = 1024 * 1024;

export const defaultLimits: ServeLimits = {
  bodyBytes: 8 * megabyte,
  allBodyBytes: 256 * megabyte,
  atOnce: 4,
  waiting: 256,
  patienceMs: 200,
  queued: 32,
  queueMs: 10_000,
  perSecond: 1000,
  connections: 1000,
  headersMs: 10_000,
  requestMs: 60_000,
  idleMs: 60_000,
  heartbeatMs: 15_000,
  unreadBytes: 8 * megabyte,
  graceMs: 10_000,
};

export interface ServeOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The folders requests may name files in; the first is where relative paths start. */
  readonly roots: readonly string[];
  /** Undefined: the user of this machine, and nobody from elsewhere. */
  readonly tokens?: TokenSource | undefined;
  /** Undefined: plain HTTP. */
  readonly tls?: TlsMaterial | undefined;
  readonly allowHosts: readonly string[];
  readonly allowOrigins: readonly string[];
  readonly debug: boolean;
  readonly log: Log;
  now(): number;
  store(): Promise<Store>;
  model(name?: string): Promise<Model>;
  prices?: OperationContext['prices'];
  answers?: OperationContext['answers'];
  sessions?: OperationContext['sessions'];
  embeddings?: OperationContext['embeddings'];
  forge?: OperationContext['forge'];
  tickets?: OperationContext['tickets'];
  looks?: OperationContext['looks'];
  /** The page for a person at this machine, and who may use it. */
  readonly page?: PageDoor | undefined;
  readonly limits: ServeLimits;
}
