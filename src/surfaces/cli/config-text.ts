// The configuration file that `galley init` proposes: settings with a sensible value, all as comments, so that it changes nothing.
export const configNames = ['galley.config.yaml', 'galley.config.yml', 'galley.config.json'] as const;

export const schemaPath = '.galley/config.schema.json';

export function configText(): string {
  return `# yaml-language-server: $schema=${schemaPath}
# How changes of this repository are reviewed. A pull request is reviewed
# with the settings of its base branch. Remove the # of a line to change it;
# galley doctor checks the file.

# Paths no review looks at, in the words of .gitignore; ! brings files back.
# ignore:
#   - "docs/archive/"
#   - "*.snap"

# Tokens of diff on one page, and of a whole page as it is sent.
# maxChunkTokens: 32000
# maxPromptTokens: 48000

# At most so many pages; what matters most stays.
# maxPages: 8

# How tokens are counted: o200k_base, cl100k_base, chars/4, bytes …
# meter: o200k_base

# Instructions for the reviewer: a SKILL.md of this repository.
# skill: review/SKILL.md

# Linter findings on changed lines only, or on changed-files.
# linterScope: changed-lines

# Tell the model what it does not see, and what changed inside lockfiles.
# coverageInPrompt: true
# lockfileSummary: true
`;
}
