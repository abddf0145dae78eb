// A prompt that begins with a slash is taken for a command of the CLI and never reaches the model; after an empty line it is text.

export function guardLeadingSlash(prompt: string): string {
  return prompt.startsWith('/') ? `\n${prompt}` : prompt;
}
