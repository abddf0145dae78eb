// The door for places that are not Node, such as a browser or a worker: the press, the meters that need no file, the agents'
// turns. Nothing behind it imports a platform.

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
export { GalleyError, isGalleyError } from './core/model/error.js';
export type { Fragment, Scope } from './core/model/fragment.js';
export { defineSource, type Source } from './core/model/fragment.js';
export type { Meter } from './core/model/meter.js';
export type {
  AssembleOptions,
  AssembleOptions as Order,
  Assembly,
  PressSetup,
  PressSetup as Press,
} from './core/model/press.js';
export type { Prompt } from './core/model/prompt.js';
export type { Receipt } from './core/model/receipt.js';
export type { Dialect, Recipe } from './core/model/recipe.js';
export { meterOfVocabulary } from './meters/bpe/bpe-meter.js';
export { cjkEstimateMeter } from './meters/cjk-estimate-meter.js';
export { hashText } from './meters/content-hash.js';
export { createCountCache, withCountCache } from './meters/count-cache.js';
export { meterForModel } from './meters/meter-for-model.js';
export { bytesMeter, charsPerFourMeter, codepointsMeter } from './meters/plain-meters.js';
export { createScaledEstimateMeter } from './meters/scaled-estimate-meter.js';
