export const en = {
  again: 'Try again',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  loading: 'Loading …',
  'nav.agents': 'Agents',
  'nav.label': 'Views',
  'nav.nothing': 'There is nothing at this address.',
  'nav.projects': 'Projects',
  'nav.review': 'Review',
  'nav.runs': 'Runs',
  'nav.sent': 'What is sent',
  'nav.skip': 'Skip to the content',
  'nav.write': 'Write',
  'start.asking': 'One moment …',
  'start.closed':
    'This browser was not let in, or its cookie is gone. Run this in the folder of your project:',
  'start.cookies':
    'Cookies are off in this browser, and one lets it in. Allow them for 127.0.0.1, then run this in the folder of your project:',
  'start.offline': 'Galley does not answer. If it was ended, start it again in the folder of your project:',
  'trouble.page': 'The page met something it did not foresee.',
  'trouble.stale': 'Galley was changed while this page was open. Start it again, then reload the page.',
} as const;
