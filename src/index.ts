// The public door, written by hand.
export { type AgentType, agentTypeOf } from './agents/agent-type.js';
export { type AssembledTurn, assembleTurn } from './agents/assemble-turn.js';
export type { AssemblerInput } from './agents/assembler-input.js';
export {
  type AssemblerOutput,
  ClaudeContextAssembler,
  CodexContextAssembler,
  type ContextAssembler,
  GeminiContextAssembler,
  PlainContextAssembler,
} from './agents/assemblers.js';
export { assemble, typeset } from './core/assemble.js';
export type { Amount, Unit } from './core/model/amount.js';
export type { Budget } from './core/model/budget.js';
export type { Dialect, PagePlace, SectionWording } from './core/model/dialect.js';
export { GalleyError, isGalleyError } from './core/model/error.js';
export { type ErrorCode, errorTable } from './core/model/error-table.js';
export type { Fragment, Level } from './core/model/fragment.js';
export type { Layer, Manner } from './core/model/layer.js';
export type { Meter } from './core/model/meter.js';
export type { Assembly, Order, Press, Wishes } from './core/model/press.js';
export type { Page, Part, Prompt, Span } from './core/model/prompt.js';
export type { LedgerLine, Receipt } from './core/model/receipt.js';
export type { Channel, Recipe, Section } from './core/model/recipe.js';
export type { Scope } from './core/model/scope.js';
export { defineSource, type Need, type Source } from './core/model/source.js';
export type { Verdict } from './core/model/verdict.js';
export type { Warning } from './core/model/warning.js';
export { hashText } from './meters/content-hash.js';
export { loadMeter, meterIds } from './meters/load-meter.js';
export { meterForModel } from './meters/meter-for-model.js';
export { findModel, type ModelWorld } from './models/find-model.js';
export type {
  Finish,
  Model,
  ModelAnswer,
  ModelRequest,
  RunOptions,
  Timeouts,
  Usage,
} from './models/model.js';
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
