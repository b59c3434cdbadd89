// Code imports lower layers only. `import type` is free, tests are free.

/** Lowest first; folders of one layer do not import each other. */
const layers = [
  ['server/domain'],
  ['server/platform', 'server/metrics', 'server/scan'],
  ['server/advisor'],
  ['server/embedded'],
  ['server/codehost', 'server/store', 'server/demo'],
  ['server/settings', 'server/facts', 'server/queue'],
  ['server/access', 'server/identity', 'server/mail', 'server/maintenance'],
  ['server/api/operation.ts', 'server/api/parameters.ts'],
  ['server/sync', 'server/reports'],
  ['server/ai'],
  ['server/alerts', 'server/openmetrics', 'server/otlp', 'server/sharing'],
  ['jobs'],
  ['server/api'],
  ['server/http'],
  ['server/mcp'],
  ['server/start.ts', 'server/open-server.ts', 'server/main.ts', 'app/root.tsx', 'app/entry.server.tsx'],
];

/** What pages may use of the folders below the API. */
const operations = ['server/reports/[^/]+/operations.ts', 'server/ai/operations.ts', 'server/alerts/operations'];

/** Folders that may import less than every lower layer. `migrations` are SQL that only the store reads. */
const restricted = {
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
  'server/advisor': ['server/domain', 'server/metrics', 'server/scan'],
  migrations: ['server/platform'],
};

/** Packages that only these folders may import. */
const packageUsers = {
  '@octokit': ['server/codehost'],
  arctic: ['server/access'],
  'remix-auth': ['server/access'],
  'remix-auth-github': ['server/access'],
  postmark: ['server/mail'],
  resend: ['server/mail'],
  nodemailer: ['server/mail'],
  '@modelcontextprotocol': ['server/mcp'],
  ai: ['server/ai'],
  '@ai-sdk': ['server/ai'],
  'ipaddr.js': ['server/platform'],
  '@tremor': ['app/components'],
  marked: ['app/routes/docs'],
  '@mikro-orm': ['server/store', 'server/embedded', 'migrations'],
  '@electric-sql': ['server/store', 'server/embedded', 'migrations'],
  pg: ['server/store', 'server/embedded', 'migrations'],
  kysely: ['server/store', 'server/embedded', 'migrations'],
  'pg-boss': ['server/queue'],
  croner: ['jobs', 'server/advisor'],
  '@opentelemetry': ['server/otlp'],
  'js-yaml': ['server/scan'],
  diff: ['server/advisor'],
  '@actions/expressions': ['server/scan'],
};

/** Folders that must not know that there are pages. */
const withoutPages = [
  'domain',
  'platform',
  'metrics',
  'scan',
  'advisor',
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
  'openmetrics',
  'otlp',
  'sharing',
  'api',
];

const start = (folders) => `^(${folders.map((folder) => folder.replaceAll('.', '\\.')).join('|')})(/|$)`;
const packages = (names) => `(^|/)node_modules/(${names.join('|')})(/|$)`;

const importsLowerLayersOnly = (folder, allowed) => ({
  name: `${folder} imports lower layers only`,
  comment: `${folder} may use values of ${allowed.length > 0 ? allowed.join(', ') : 'no other folder'}; \`import type\` is free.`,
  severity: 'error',
  from: { path: start([folder]) },
  to: {
    path: '^(app|server|jobs|migrations)/',
    pathNot: start([folder, ...allowed]),
    dependencyTypesNot: ['type-only'],
  },
});

const below = (level) => layers.slice(0, level).flat();
const top = layers.length - 1;
const allowedFor = (folder, level) => {
  const lower = [...below(level), ...(folder === 'server/store' || level === top ? ['migrations'] : [])];
  return level === top ? [...lower, 'app', ...layers[top]] : lower;
};

const layerRules = layers.flatMap((folders, level) =>
  folders
    .filter((folder) => !(folder in restricted))
    .map((folder) => importsLowerLayersOnly(folder, allowedFor(folder, level))),
);
const restrictedRules = Object.entries(restricted).map(([folder, allowed]) => importsLowerLayersOnly(folder, allowed));

const packageRules = Object.entries(packageUsers).map(([name, folders]) => ({
  name: `${name} only in ${folders.join(', ')}`,
  severity: 'error',
  from: { path: '^(app|server|jobs|migrations)/', pathNot: start(folders) },
  to: { path: packages([name]), dependencyTypesNot: ['type-only'] },
}));

/** The files that read the platform while nobody asks. `env.ts` seals the token. */
const opensServiceToken = [
  'jobs/ai-comparison\\.ts',
  'server/access/departed\\.ts',
  'jobs/advisor-verdicts\\.ts',
  'server/platform/env\\.ts',
  'server/sync/action-ledger/run\\.ts',
  'jobs/log-downloads\\.ts',
  'jobs/merge-queue\\.ts',
  'jobs/noticed-refs\\.ts',
  'server/sync/collect\\.ts',
  'server/sync/sync-continuation\\.ts',
  'server/alerts/leadership-emails\\.ts',
  'server/otlp/fetch-jobs\\.ts',
];

module.exports = {
  forbidden: [
    ...layerRules,
    ...restrictedRules,
    ...packageRules,
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
      from: { path: start(withoutPages.map((folder) => `server/${folder}`)) },
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
      name: 'every folder has its layer',
      comment: 'A new folder of server/ or app/ is added to the layers, or to what is restricted, first.',
      severity: 'error',
      from: { path: '^(server|app)/[^/]+/', pathNot: start([...layers.flat(), ...Object.keys(restricted)]) },
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
