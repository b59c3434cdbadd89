// The law of the house: code imports downstairs only. `import type` is free, tests are free.

const floors = [
  ['server/domain'],
  ['server/platform', 'server/metrics', 'server/scan'],
  ['server/embedded'],
  ['server/codehost', 'server/store', 'server/demo'],
  ['server/settings', 'server/facts', 'server/audit', 'server/queue'],
  ['server/access', 'server/identity', 'server/mail'],
  ['server/api/operation.ts', 'server/api/parameters.ts'],
  ['server/api/limits.ts'],
  ['server/sync', 'server/reports'],
  ['server/ai'],
  ['server/alerts'],
  ['jobs'],
  ['server/api'],
  ['server/http'],
  ['server/start.ts', 'server/main.ts', 'app/root.tsx', 'app/entry.server.tsx'],
];

/** What pages may use of the rooms below the API. */
const operations = ['server/reports/[^/]+/operations.ts', 'server/ai/operations.ts', 'server/alerts/operations'];

/** Rooms that see less than everything below them. `migrations` are SQL that only the store reads. */
const walls = {
  'app/charts': ['server/domain'],
  'app/scripts': ['app/components', 'app/charts', 'server/domain'],
  'app/components': ['app/scripts', 'app/charts', 'server/domain'],
  'app/routes': [
    'app/components',
    'app/scripts',
    'app/charts',
    ...operations,
    'server/api',
    'server/http',
    'server/domain',
  ],
  'server/metrics': ['server/domain'],
  'server/scan': [],
  migrations: ['server/platform'],
};

/** One outside world, one gatekeeper. */
const gatekeepers = {
  '@octokit': ['server/codehost'],
  arctic: ['server/access'],
  'remix-auth': ['server/access'],
  'remix-auth-github': ['server/access'],
  postmark: ['server/mail'],
  resend: ['server/mail'],
  nodemailer: ['server/mail'],
  ai: ['server/ai'],
  '@ai-sdk': ['server/ai'],
  'ipaddr.js': ['server/ai', 'server/platform'],
  '@tremor': ['app/components'],
  marked: ['app/routes/docs'],
  '@mikro-orm': ['server/store', 'server/embedded', 'migrations'],
  '@electric-sql': ['server/store', 'server/embedded', 'migrations'],
  pg: ['server/store', 'server/embedded', 'migrations'],
  kysely: ['server/store', 'server/embedded', 'migrations'],
  'pg-boss': ['server/queue'],
  croner: ['jobs'],
  'js-yaml': ['server/scan'],
  '@actions/expressions': ['server/scan'],
};

/** Rooms that must not know that there are pages. */
const withoutPages = [
  'domain',
  'platform',
  'metrics',
  'scan',
  'codehost',
  'store',
  'demo',
  'settings',
  'facts',
  'identity',
  'access',
  'mail',
  'sync',
  'reports',
  'ai',
  'api',
];

const start = (rooms) => `^(${rooms.map((room) => room.replaceAll('.', '\\.')).join('|')})(/|$)`;
const packages = (names) => `(^|/)node_modules/(${names.join('|')})(/|$)`;

const looksDownstairsOnly = (room, may) => ({
  name: `${room} looks downstairs only`,
  comment: `${room} may use values of ${may.length > 0 ? may.join(', ') : 'nothing else in the house'}; \`import type\` is free.`,
  severity: 'error',
  from: { path: start([room]) },
  to: { path: '^(app|server|jobs|migrations)/', pathNot: start([room, ...may]), dependencyTypesNot: ['type-only'] },
});

const below = (level) => floors.slice(0, level).flat();
const topFloor = floors.length - 1;
const seenFrom = (room, level) => {
  const lower = [...below(level), ...(room === 'server/store' || level === topFloor ? ['migrations'] : [])];
  return level === topFloor ? [...lower, 'app', ...floors[topFloor]] : lower;
};

const floorRules = floors.flatMap((rooms, level) =>
  rooms.filter((room) => !(room in walls)).map((room) => looksDownstairsOnly(room, seenFrom(room, level))),
);
const wallRules = Object.entries(walls).map(([room, may]) => looksDownstairsOnly(room, may));

const gateRules = Object.entries(gatekeepers).map(([name, rooms]) => ({
  name: `${name} only in ${rooms.join(', ')}`,
  severity: 'error',
  from: { path: '^(app|server|jobs|migrations)/', pathNot: start(rooms) },
  to: { path: packages([name]), dependencyTypesNot: ['type-only'] },
}));

/** The files that read the platform while nobody asks. `env.ts` seals the token. */
const opensServiceToken = [
  'server/platform/env\\.ts',
  'server/sync/collect\\.ts',
  'server/sync/sync-continuation\\.ts',
  'server/alerts/leadership-emails\\.ts',
];

module.exports = {
  forbidden: [
    ...floorRules,
    ...wallRules,
    ...gateRules,
    {
      name: 'the service token only in background work',
      comment: 'What somebody asks for is read with their own token, never with that of the service.',
      severity: 'error',
      from: { path: '^(app|server|jobs|migrations)/', pathNot: `^(${opensServiceToken.join('|')})$` },
      to: { path: '^server/platform/service-token\\.ts$' },
    },
    {
      name: 'no pages below the adapters',
      severity: 'error',
      from: { path: start(withoutPages.map((room) => `server/${room}`)) },
      to: {
        path: packages(['react-router', '@react-router', 'react', 'react-dom']),
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'every import is found',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(virtual:|\\./\\+types/)' },
    },
    {
      name: 'every room has its floor',
      comment: 'A new room below server/ or app/ is placed in the list of floors, or of walls, first.',
      severity: 'error',
      from: { path: '^(server|app)/[^/]+/', pathNot: start([...floors.flat(), ...Object.keys(walls)]) },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\+types/' },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
    combinedDependencies: false,
  },
};
