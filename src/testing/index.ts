// The published testing door: contract suites for siblings of Galley's ports.
export type { Meter } from '../core/model/meter.js';
export { type Line, type ScriptedModel, scriptedModel } from './scripted-model.js';
