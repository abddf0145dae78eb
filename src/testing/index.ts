// The published testing door: contract suites for siblings of Galley's ports.
export type { Meter } from '../core/model/meter.js';
export {
  type Account,
  type AskedEvent,
  everyNth,
  everyRight,
  type Fault,
  type Faults,
  type ForgeOptions,
  type ForgeRequest,
  type ForgeScript,
  type LoopbackForge,
  openForge,
  type Person,
  type PullView,
  type Right,
  type Role,
  type ScriptedCommit,
  type ScriptedPull,
  type ScriptedPush,
} from './forge/open-forge.js';
export {
  type Failure,
  type Loopback,
  type LoopbackCall,
  type LoopbackOptions,
  openLoopback,
  type Reply,
  type Script,
} from './loopback/open-loopback.js';
export { type Line, type ScriptedModel, scriptedModel } from './scripted-model.js';
