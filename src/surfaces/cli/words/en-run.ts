// What a review says in English while a model does it; the other language must have every key.

export const enRun = {
  'going.estimate': '{pages}{kept}; about {tokens} tokens to send{cached}{cost}',
  'going.kept': ', {n} answered before',
  'going.cached': ', about {n} of them cached',
  'going.about': '; reading them costs about {cost}',
  'going.all-kept': '{pages}, all answered before; nothing is sent (--fresh asks again)',
  'going.done': '{done} of {pages} done',
  'going.reviewed': 'Reviewed {done} of {pages}; {left} left out.',
  'going.spent': '{calls}, {input} tokens in{cached}, {output} out{cost}.',
  'going.of-cache': ' ({n} cached)',
  'going.cost': ', {cost}',
  'going.failed': 'page {page} failed ({code}): {files}',
  'going.partial': 'page {page} was answered in part: {files}',
  'going.not-asked': 'page {page} was not asked for ({code}): {files}',
  'going.sheet': 'page {page}, {tokens} tokens with the system text{kept}',
  'going.sheet-kept': ', answered before and not sent again',
  'going.system': 'system',
  'going.again': 'run it again for the missing pages; what is finished is kept.',
} as const satisfies Readonly<Record<string, string>>;
