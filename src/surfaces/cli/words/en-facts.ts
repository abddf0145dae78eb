// Warnings that other rooms phrase in Chinese, in English, by code. What is not here stays as it came.
export const enFacts: Readonly<Record<string, string>> = {
  'warning.LAYER_TRIMMED': 'A layer was shortened to fit the budget.',
  'warning.RETRIEVAL_STALE': 'The search index is behind the documents; it is being brought up to date.',
  'warning.LANE_UNAVAILABLE': 'The record of the request before could not be read or written.',
  'warning.RECEIPT_UNAVAILABLE': 'The receipt could not be stored.',
  'warning.SKILL_UNAVAILABLE': 'The skills of the project could not be read.',
  'warning.SKILL_UNKNOWN': 'There is no skill of that name; the context is the one for any task.',
  'warning.CONSTRAINTS_UNAVAILABLE': 'The constraints could not be read and are not in the prompt.',
  'warning.KG_UNAVAILABLE': 'People and places could not be read and are not in the prompt.',
  'warning.MEMORY_UNAVAILABLE': 'The memory could not be read and is not in the prompt.',
  'warning.SETTINGS_UNAVAILABLE': 'Style guide and outline could not be read and are not in the prompt.',
  'warning.SUMMARY_UNAVAILABLE': 'The summaries could not be read and are not in the prompt.',
  'warning.RETRIEVAL_UNAVAILABLE': 'The search gave no answer; no passages are in the prompt.',
  'warning.EMBEDDINGS_UNAVAILABLE':
    'The embedding server gave no answer; passages were found by words alone.',
  'warning.DOCUMENT_UNAVAILABLE': 'The chapter could not be read and is not in the prompt.',
};
