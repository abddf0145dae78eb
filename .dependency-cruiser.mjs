// The rooms and their direction: core <- meters, cleaning, skills, git, code, network, models, forges, store, temp <- desks <- operations <- surfaces.
const room = (names) => `^src/(${names})/`;
const rooms = 'meters|cleaning|skills|git|code|network|models|forges|store|temp';
const desks = 'review|writing|agents';
const stages = ['gather', 'admit', 'phrase', 'fit', 'compose', 'seal'];
const tests = { pathNot: '\\.test\\.ts$' };

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'core-is-alone',
      severity: 'error',
      from: { path: '^src/core/', ...tests },
      to: { path: '^src/', pathNot: '^src/core/' },
    },
    {
      name: 'core-is-pure',
      severity: 'error',
      from: { path: '^src/core/', ...tests },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional'], pathNot: 'node_modules/zod/' },
    },
    ...stages.map((stage) => ({
      name: `stage-${stage}-is-alone`,
      severity: 'error',
      from: { path: `^src/core/${stage}/`, ...tests },
      to: { path: `^src/core/(${stages.filter((other) => other !== stage).join('|')})/` },
    })),
    {
      name: 'rooms-know-core-only',
      severity: 'error',
      from: { path: room(rooms), ...tests },
      to: { path: room(`${desks}|operations|surfaces`) },
    },
    {
      name: 'cleaning-knows-core-and-meters',
      severity: 'error',
      from: { path: '^src/cleaning/', ...tests },
      to: { path: '^src/', pathNot: '^src/(cleaning|core|meters)/' },
    },
    {
      name: 'cleaning-is-pure',
      severity: 'error',
      from: { path: '^src/cleaning/', ...tests },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional'] },
    },
    {
      name: 'desks-are-strangers',
      severity: 'error',
      from: { path: '^src/(review|writing|agents)/', ...tests },
      to: { path: '^src/(review|writing|agents)/', pathNot: '^src/$1/' },
    },
    {
      name: 'desks-know-no-doors',
      severity: 'error',
      from: { path: room(desks), ...tests },
      to: { path: room('operations|surfaces') },
    },
    {
      name: 'operations-know-no-doors',
      severity: 'error',
      from: { path: '^src/operations/', ...tests },
      to: { path: '^src/(surfaces|jobs)/' },
    },
    {
      name: 'jobs-know-no-doors',
      severity: 'error',
      from: { path: '^src/jobs/', ...tests },
      to: { path: '^src/surfaces/' },
    },
    {
      name: 'product-never-imports-tests',
      severity: 'error',
      from: { path: '^src/', ...tests },
      to: { path: '^(test|bench|examples)/|\\.test\\.ts$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
};
