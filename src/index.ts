// The public door, written by hand.

export { type AssembledTurn, assembleTurn } from './agents/assemble-turn.js';
export type { AssemblerInput } from './agents/assembler-input.js';
export { type AgentType, agentTypeOf } from './agents/assembler-input.js';
export {
  type AssemblerOutput,
  ClaudeContextAssembler,
  CodexContextAssembler,
  type ContextAssembler,
  GeminiContextAssembler,
  PlainContextAssembler,
} from './agents/assemblers.js';
export { assemble, typeset } from './core/assemble.js';
export type { Budget } from './core/model/budget.js';
export { type ErrorCode, errorTable, GalleyError, isGalleyError, type Warning } from './core/model/error.js';
export {
  defineSource,
  type Fragment,
  type Level,
  type Need,
  type Scope,
  type Source,
} from './core/model/fragment.js';
export type { Amount, Meter, Unit } from './core/model/meter.js';
export type {
  AssembleOptions,
  AssembleOptions as Order,
  Assembly,
  GatherOptions,
  GatherOptions as Wishes,
  PressSetup,
  PressSetup as Press,
} from './core/model/press.js';
export type { Page, Part, Prompt, Span } from './core/model/prompt.js';
export type { LedgerLine, Receipt, Verdict } from './core/model/receipt.js';
export type {
  Channel,
  Dialect,
  KeepRule,
  KeepRule as Manner,
  Layer,
  PagePlace,
  Recipe,
  Section,
  SectionWording,
} from './core/model/recipe.js';
export { hashText } from './meters/content-hash.js';
export { loadMeter, meterIds } from './meters/load-meter.js';
export { meterForModel } from './meters/meter-for-model.js';
export type {
  Finish,
  Model,
  ModelAnswer,
  ModelRequest,
  RunOptions,
  Timeouts,
  Usage,
} from './models/contract/model.js';
export { findModel, type ModelWorld } from './models/find-model.js';
export type { Grant } from './operations/operation.js';
export type { AnswerOf, OperationId, RequestOf } from './operations/table.js';
export type { Store } from './store/store.js';
export type { EngineCall } from './surfaces/engine.js';
export {
  createGalley,
  type Galley,
  type GalleyOptions,
  type OpenStoreOptions,
  openStore,
} from './surfaces/library/create-galley.js';
export { deadline } from './writing/context/deadline.js';
