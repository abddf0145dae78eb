// What a model needs of a prompt is settled before the prompt is sealed; a transport that could not pass it on as it is refuses
// before anything is sent.

import { GalleyError } from '../../core/model/error.js';
import type { PressSetup, SealedPrompt } from '../../core/model/press.js';
import type { Dialect } from '../../core/model/recipe.js';
import type { AnswerShape, Model, ModelRequest, RequestSpeaker } from './model.js';

export interface Placement {
  /** The model cannot take this system text apart, so it stands first in the prompt. */
  readonly systemInPrompt: boolean;
  /** The prompt begins with an empty line, or its beginning would be taken for a command. */
  readonly leadingLine: boolean;
  /** JSON Schema of the answer as it will stand on the wire; absent where the model is not held to one. */
  readonly answer?: string;
}

/** The prompt as the model takes it. `set` is asked again only where the first prompt would not do. */
export async function sealFor(
  model: Model,
  set: (placement: Placement) => SealedPrompt | Promise<SealedPrompt>,
  shape?: AnswerShape,
): Promise<SealedPrompt> {
  const answer = shape === undefined ? undefined : await model.answerForm?.(shape);
  let placement: Placement = {
    systemInPrompt: false,
    leadingLine: false,
    ...(answer === undefined ? {} : { answer }),
  };
  for (;;) {
    const sealed = await set(placement);
    const needed = needsOf(model, sealed);
    const isMet =
      (placement.systemInPrompt || !needed.systemInPrompt) && (placement.leadingLine || !needed.leadingLine);
    if (isMet) return sealed;
    placement = {
      ...placement,
      systemInPrompt: placement.systemInPrompt || needed.systemInPrompt,
      leadingLine: placement.leadingLine || needed.leadingLine,
    };
  }
}

function needsOf(
  model: Model,
  { system, prompt }: Pick<SealedPrompt, 'system' | 'prompt'>,
): Pick<Placement, 'systemInPrompt' | 'leadingLine'> {
  return {
    systemInPrompt: system !== '' && model.systemInPrompt?.(system) === true,
    leadingLine: model.readsAsCommand?.(prompt) === true,
  };
}

/** The same press for a placement: sections of the system channel stand in the prompt, bare ones begin with an empty line. */
export function placed<Body>(
  press: PressSetup<Body>,
  { systemInPrompt, leadingLine }: Pick<Placement, 'systemInPrompt' | 'leadingLine'>,
): PressSetup<Body> {
  const { recipe, dialect } = press;
  const sections = recipe.sections.map((section) =>
    systemInPrompt && section.channel === 'system' ? { ...section, channel: 'prompt' as const } : section,
  );
  const withLine: Dialect<Body> = {
    ...dialect,
    section(id, page) {
      const wording = dialect.section(id, page);
      const isBare = wording.heading === '' || wording.heading.startsWith('/');
      const inPrompt = sections.some((section) => section.id === id && section.channel === 'prompt');
      return isBare && inPrompt ? { ...wording, heading: `\n${wording.heading}` } : wording;
    },
  };
  return { ...press, recipe: { ...recipe, sections }, dialect: leadingLine ? withLine : dialect };
}

/** A transport changes no byte of a request. What it could not pass on as it is, it refuses before anything is sent. */
export function checkRequest(
  model: Model,
  { system = '', prompt, turns = [], speakers = [] }: ModelRequest,
): void {
  const refuse = (field: 'prompt' | 'system' | 'turns', says: string) =>
    new GalleyError('INVALID_ARGUMENT', `${field}: ${says}.`, { details: { field } });
  if (prompt.trim() === '') throw refuse('prompt', 'has no words in it');
  if (system !== '' && system.trim() === '') throw refuse('system', 'has no words in it; leave it out');
  if (turns.length > 0 && model.takesTurns !== true)
    throw refuse('turns', `would not reach ${model.id} as messages; put them into one text`);
  if (speakers.length > 0) checkMessages(model, saidBy(speakers, prompt));
  const { systemInPrompt, leadingLine } = needsOf(model, { system, prompt });
  if (systemInPrompt)
    throw refuse('system', `would not reach ${model.id} as it is; put it at the beginning of the prompt`);
  if (leadingLine)
    throw refuse('prompt', `begins with what ${model.id} takes for a command; begin with an empty line`);
}

interface SaidMessage extends Pick<RequestSpeaker, 'role' | 'name'> {
  readonly text: string;
}

/** Messages of others are passed on as they are, each in its place, or not at all. */
export function checkMessages(model: Model, messages: readonly SaidMessage[]): void {
  const refuse = (at: number, says: string) =>
    new GalleyError('INVALID_ARGUMENT', `messages[${at}]: ${says}.`, {
      details: { field: `messages[${at}]`, model: model.id },
    });
  const rules = model.speakers;
  if (rules === undefined || rules.system === 'never')
    throw new GalleyError(
      'MODEL_NOT_CONFIGURED',
      `${model.id} does not take a conversation message by message; name a model that does.`,
      { details: { field: 'model', model: model.id } },
    );
  const firstOther = messages.findIndex(({ role }) => role !== 'system');
  messages.forEach(({ role, name }, at) => {
    if (name !== undefined && !rules.names)
      throw refuse(at, `has a name, which ${model.id} does not take; leave the name out`);
    if (role === 'system' && rules.system === 'first' && firstOther !== -1 && at > firstOther)
      throw refuse(at, `${model.id} takes messages of the system at the beginning only; put it first`);
  });
  const last = messages.at(-1);
  if (rules.trimsLast && last?.role === 'assistant' && last.text !== last.text.trim())
    throw refuse(
      messages.length - 1,
      `${model.id} would lose the blanks at the ends of its own last message; take them off`,
    );
}

function saidBy(speakers: readonly RequestSpeaker[], prompt: string): readonly SaidMessage[] {
  const whole = Buffer.from(prompt);
  return speakers.map(({ offset, ...speaker }, at) => ({
    ...speaker,
    text: whole.toString('utf8', offset, speakers[at + 1]?.offset ?? whole.length),
  }));
}
