// A token that is limited to projects reaches those and nothing else: no other project, and nothing that belongs to none.
import * as z from 'zod';
import { GalleyError } from '../../../core/model/error.js';
import type { Operation } from '../../../operations/operation.js';
import type { Caller } from './caller.js';

export function confineProject({ input }: Operation, request: unknown, caller: Caller): void {
  if (caller.projects === '*') return;
  const ofProject = input instanceof z.ZodObject && 'projectId' in input.shape;
  if (!ofProject) {
    if (caller.folders) return;
    throw new GalleyError(
      'FORBIDDEN',
      'This token is limited to projects, and this operation belongs to none.',
    );
  }
  const { projectId } = Object(request) as { projectId?: unknown };
  // The same words whether or not the project exists.
  if (typeof projectId !== 'string' || !caller.projects.has(projectId))
    throw new GalleyError('FORBIDDEN', 'This token does not cover the project; name one that it covers.', {
      details: { field: 'projectId' },
    });
}
