// One extra request of a unit and what was found for it; one that finds nothing says so.
import { type ExtraRequest, requestSubject } from '../../plan/extra-request.js';
import { pathEvidence } from '../../rules/path-evidence.js';
import type { ReviewUnit } from '../../units/unit.js';
import { findClassMethods } from './find-class-methods.js';
import { findImplementations } from './find-implementations.js';
import { findReferences } from './find-references.js';
import { findWords } from './find-words.js';
import { locateDefinition } from './locate-definition.js';
import type { References, RequestGround } from './request-ground.js';
import { configWords, subjectOf } from './request-words.js';

const nothing: References = { found: [], total: 0, unchecked: 0 };

/** For every request but `previous_version`, which needs no search. */
export async function answerRequest(
  request: ExtraRequest,
  unit: ReviewUnit,
  ground: RequestGround,
): Promise<References> {
  const name = subjectOf(request, unit);
  if (name === undefined) return nothing;
  const home = unit.path;
  const { callable, ...definition } = await locateDefinition(name, unit, ground);
  switch (request.type) {
    case 'callers':
      return findReferences(
        { ...definition, roles: callable ? ['call'] : ['call', 'reference', 'type'] },
        ground,
      );
    case 'search_callers':
      return findReferences({ ...definition, roles: ['call', 'reference', 'type', 'import'] }, ground);
    case 'search_model_usage':
      return findReferences({ ...definition, roles: ['call', 'reference', 'type'] }, ground);
    case 'search_implementations':
      return findImplementations(definition, ground);
    case 'search_class_methods':
      return findClassMethods(definition, ground);
    case 'search_config_usage':
      return findWords({ words: configWords(name), home, skip: isDocument }, ground);
    case 'search':
      return findWords({ words: [requestSubject(request) ?? name], home: '' }, ground);
    case 'previous_version':
      return nothing;
  }
}

function isDocument(path: string): boolean {
  return pathEvidence(path).includes('doc-path');
}
