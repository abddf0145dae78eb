import type { OperationLoaders } from './operation.js';

const list = () => import('./skills-list.js');
const put = () => import('./skills-put.js');

export const skillsOperations: OperationLoaders = {
  'skills:list': async () => (await list()).skillsList,
  'skills:get': async () => (await list()).skillsGet,
  'skills:put': async () => (await put()).skillsPut,
  'skills:lint': async () => (await put()).skillsLint,
  'ai:skill:run': async () => (await import('./ai-skill-run.js')).aiSkillRun,
  'ai:skill:accept': async () => (await import('./ai-skill-accept.js')).aiSkillAccept,
  'constraints:judge': async () => (await import('./judge.js')).constraintsJudge,
};
