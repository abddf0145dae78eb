// A piece of the prompt as it is on the wire, in the order the provider reads it: tools, system, messages.

export interface PromptBlock {
  readonly part: 'tools' | 'system' | 'messages';
  /** Who speaks and what kind of block it is; costs no tokens but tells equal texts apart. */
  readonly label: string;
  /** What is counted and compared. */
  readonly text: string;
  /** The provider is asked to keep everything up to the end of this block. */
  readonly marker?: '5m' | '30m' | '1h';
}
