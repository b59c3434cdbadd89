import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const project = resolve(import.meta.dirname, '..');
const configuration = [
  'package.json',
  '.dependency-cruiser.cjs',
  'biome.json',
  'no-literal-spread.grit',
  'no-sql-in-strings.grit',
  'no-untyped-queries.grit',
  'tsconfig.json',
  'vite.config.ts',
  'react-router.config.ts',
];
const roots: string[] = [];

/** A small project that breaks no rule. */
const valid = {
  'app/app.css': '',
  'app/routes.ts': `import { index } from '@react-router/dev/routes';\n\nexport default [index('routes/home.tsx')];\n`,
  'app/root.tsx': `import { Outlet, Scripts } from 'react-router';
import { boot } from '../server/start.ts';
import { Panel } from './components/panel.tsx';

export const middleware = [() => boot()];
export default function App() {
  return (
    <html lang="en">
      <body>
        <Panel />
        <Outlet />
        <Scripts />
      </body>
    </html>
  );
}
`,
  'app/routes/home.tsx': `import { ask, type Answer } from '../../server/api/ask.ts';
import { Trend } from '../charts/trend.tsx';
import { Panel } from '../components/panel.tsx';

export const loader = () => ask();
export const headers = () => ({ 'x-answer': String(ask()) });
export default function Home({ loaderData }: { loaderData: Answer }) {
  return (
    <Panel answer={loaderData}>
      <Trend />
    </Panel>
  );
}
`,
  'app/components/panel.tsx': `import { Badge } from '@tremor/react';
import type { ReactNode } from 'react';
import type { Answer } from '../../server/api/ask.ts';
import { Trend } from '../charts/trend.tsx';

export const Panel = ({ answer, children }: { answer?: Answer; children?: ReactNode }) => (
  <section>
    <Badge>{answer}</Badge>
    <Trend />
    {children}
  </section>
);
`,
  'app/charts/trend.tsx': `import { words } from '../../server/domain/quantity.ts';

export const Trend = () => <svg role="img" aria-label={words(1)} />;
`,
  'server/domain/quantity.ts': 'export const words = (value: number) => String(value);\n',
  'server/platform/env.ts': 'export const readEnv = () => process.env.MODE;\n',
  'server/platform/service-token.ts': `import { readEnv } from './env.ts';\n\nexport const serviceToken = () => readEnv();\n`,
  'server/metrics/rate.ts': 'export const rate = (part: number, whole: number) => part / whole;\n',
  'server/advisor/advise.ts': `import { rate } from '../metrics/rate.ts';\n\nexport const advise = () => rate(1, 2);\n`,
  'server/codehost/client.ts': `export { Octokit } from '@octokit/core';\n`,
  'server/store/orm.ts': `import { MikroORM } from '@mikro-orm/postgresql';
import { readEnv } from '../platform/env.ts';

export const open = () => MikroORM.init({ dbName: readEnv() });
`,
  'server/settings/email.ts': `export const provider = 'postmark';\n`,
  'server/mail/mailer.ts': `export { ServerClient } from 'postmark';\n`,
  'server/mail/subject.ts': `import { words } from '../domain/quantity.ts';\n\nexport const subject = () => words(1);\n`,
  'server/sync/collect.ts': `import { serviceToken } from '../platform/service-token.ts';
import { open } from '../store/orm.ts';

export const sync = () => [open(), serviceToken()];
`,
  'server/reports/answer.ts': `import { rate } from '../metrics/rate.ts';\n\nexport const answer = () => rate(1, 2);\n`,
  'server/alerts/fire.ts': `import { answer } from '../reports/answer.ts';\n\nexport const fire = () => answer();\n`,
  'jobs/watch.ts': `import { Cron } from 'croner';
import { fire } from '../server/alerts/fire.ts';

export const watch = () => new Cron('* * * * *', fire);
`,
  'server/api/ask.ts': `import { answer } from '../reports/answer.ts';

export type Answer = number;
export const ask = (): Answer => answer();
`,
  'server/start.ts': `import { watch } from '../jobs/watch.ts';\n\nexport const boot = () => watch();\n`,
  'server/main.ts': `export * from 'virtual:react-router/server-build';\n`,
};

const statements = (count: number) => 'step();\n'.repeat(count);
const functionWith = (count: number, opening: string) => `${opening}\n${'  step();\n'.repeat(count)}}\n`;
const step = `import { step } from './step.ts';\n\n`;
const lowerOnly = (folder: string) => `${folder} imports lower layers only`;
const uses = (path: string) => `import * as used from '${path}';\n\nexport const use = used;\n`;

/** Each of these files breaks exactly one rule about imports. */
const importViolations: [file: string, rule: string, text: string][] = [
  ['app/components/asks.tsx', lowerOnly('app/components'), uses('../../server/api/ask.ts')],
  ['app/charts/decorates.tsx', lowerOnly('app/charts'), uses('../components/panel.tsx')],
  ['app/routes/reads.tsx', lowerOnly('app/routes'), uses('../../server/reports/answer.ts')],
  ['server/domain/measures.ts', lowerOnly('server/domain'), uses('../metrics/rate.ts')],
  ['server/metrics/loads.ts', lowerOnly('server/metrics'), uses('../store/orm.ts')],
  ['server/metrics/configures.ts', lowerOnly('server/metrics'), uses('../platform/env.ts')],
  ['server/platform/measures.ts', lowerOnly('server/platform'), uses('../metrics/rate.ts')],
  ['server/codehost/keeps.ts', lowerOnly('server/codehost'), uses('../store/orm.ts')],
  ['server/sync/alerts.ts', lowerOnly('server/sync'), uses('../alerts/fire.ts')],
  ['server/reports/syncs.ts', lowerOnly('server/reports'), uses('../sync/collect.ts')],
  ['server/reports/registers.ts', lowerOnly('server/reports'), uses('../api/ask.ts')],
  ['server/api/operation.ts', lowerOnly('server/api/operation.ts'), uses('../reports/answer.ts')],
  [
    'server/reports/mixes.ts',
    lowerOnly('server/reports'),
    `import { ask, type Answer } from '../api/ask.ts';\n\nexport const mixed: Answer = ask();\n`,
  ],
  ['server/api/boots.ts', lowerOnly('server/api'), uses('../start.ts')],
  ['jobs/asks.ts', lowerOnly('jobs'), uses('../server/api/ask.ts')],
  ['server/reports/fetches.ts', '@octokit only in server/codehost', uses('@octokit/core')],
  ['app/routes/decorates.tsx', '@tremor only in app/components', uses('@tremor/react')],
  ['app/components/reads.tsx', 'marked only in app/routes/docs', uses('marked')],
  ['server/api/signs-in.ts', 'arctic only in server/access', uses('arctic')],
  ['server/api/borrows.ts', 'the service token only in background work', uses('../platform/service-token.ts')],
  ['server/access/borrows.ts', 'the service token only in background work', uses('../platform/service-token.ts')],
  ['server/sync/borrows.ts', 'the service token only in background work', uses('../platform/service-token.ts')],
  ['server/alerts/writes.ts', 'postmark only in server/mail', uses('postmark')],
  ['server/api/queries.ts', '@mikro-orm only in server/store, server/embedded, migrations', uses('@mikro-orm/core')],
  ['server/reports/connects.ts', 'pg only in server/store, server/embedded, migrations', uses('pg')],
  ['server/sync/ticks.ts', 'croner only in jobs, server/advisor', uses('croner')],
  ['server/api/remembers.ts', 'remix-auth only in server/access', uses('remix-auth')],
  ['server/http/signs-in.ts', 'remix-auth-github only in server/access', uses('remix-auth-github')],
  ['server/settings/sends.ts', 'resend only in server/mail', uses('resend')],
  ['jobs/sends.ts', 'nodemailer only in server/mail', uses('nodemailer')],
  ['server/alerts/asks.ts', 'ai only in server/ai', uses('ai')],
  ['server/settings/asks.ts', '@ai-sdk only in server/ai', uses('@ai-sdk/anthropic')],
  ['server/mail/resolves.ts', 'ipaddr.js only in server/platform', uses('ipaddr.js')],
  [
    'server/facts/opens.ts',
    '@electric-sql only in server/store, server/embedded, migrations',
    uses('@electric-sql/pglite'),
  ],
  ['server/sync/builds.ts', 'kysely only in server/store, server/embedded, migrations', uses('kysely')],
  ['server/alerts/queues.ts', 'pg-boss only in server/queue', uses('pg-boss')],
  ['server/reports/parses.ts', 'js-yaml only in server/scan', uses('js-yaml')],
  ['server/reports/compares.ts', 'diff only in server/advisor', uses('diff')],
  ['server/advisor/plans.ts', lowerOnly('server/advisor'), uses('../store/orm.ts')],
  ['server/advisor/configures.ts', lowerOnly('server/advisor'), uses('../platform/env.ts')],
  ['server/scan/advises.ts', lowerOnly('server/scan'), uses('../advisor/advise.ts')],
  ['server/reports/evaluates.ts', '@actions/expressions only in server/scan', uses('@actions/expressions')],
  ['server/api/redirects.ts', 'no pages below the adapters', uses('react-router')],
  ['server/settings/egg.ts', 'no circles', uses('./hen.ts')],
  ['server/utils/any.ts', 'every folder has its layer', uses('node:path')],
  ['server/api/guesses.ts', 'every import is found', uses('./nowhere.ts')],
];

/** Each of these files breaks exactly one rule of the linter. */
const lintViolations: [file: string, rule: string, text: string][] = [
  ['server/reports/env.ts', 'style/noProcessEnv', 'export const zone = () => process.env.TZ;\n'],
  ['server/reports/long.ts', 'style/noExcessiveLinesPerFile', statements(251)],
  [
    'server/reports/task.ts',
    'complexity/noExcessiveLinesPerFunction',
    step + functionWith(81, 'export function task() {'),
  ],
  [
    'server/store/query.ts',
    'plugin',
    `export const sql = (table: string) => \`select id from \${table} where id = 1\`;\n`,
  ],
  ['server/store/change.ts', 'plugin', "export const sql = 'update users set login = null';\n"],
  ['server/store/alias.ts', 'plugin', "export const sql = 'update users u set login = null';\n"],
  ['server/store/shout.ts', 'plugin', "export const sql = 'DELETE FROM users';\n"],
  ['server/store/table.ts', 'plugin', "export const sql = 'create table if not exists users (id int)';\n"],
  ['server/store/call.ts', 'plugin', "export const sql = 'select pg_advisory_xact_lock(1)';\n"],
  ['server/store/untyped.ts', 'plugin', 'export const find = () => em.getKysely<unknown>();\n'],
  ['server/reports/positions.ts', 'plugin', 'export const add = (...[a, b]: [number, number]) => a + b;\n'],
  ['server/reports/folded.ts', 'plugin', 'export const pair = (a: number) => ({ a, ...{ b: 1 } });\n'],
  ['server/reports/folded-list.ts', 'plugin', 'export const list = (a: number) => [a, ...[1, 2]];\n'],
  ['app/components/folded.tsx', 'plugin', `export const Folded = () => <p {...{ title: 'x' }} />;\n`],
  ['server/reports/default.ts', 'style/noDefaultExport', 'export default 1;\n'],
  ['server/reports/kinds.ts', 'style/noEnum', 'export enum Kind {\n  One = 1,\n}\n'],
  ['server/reports/space.ts', 'style/noNamespace', 'export namespace Space {\n  export const one = 1;\n}\n'],
  [
    'server/reports/holder.ts',
    'style/noParameterProperties',
    'export class Holder {\n  constructor(readonly one: number) {}\n}\n',
  ],
];

/** The other half of a circle, which is reported once. */
const hen = { 'server/settings/hen.ts': uses('./egg.ts') };

const properties = Array.from({ length: 120 }, (_, index) => `  p${index}: z.int(),\n`).join('');

/** At the limits, not beyond them; a table of data or a schema is no function. */
const justWithin = {
  'server/reports/data.ts': `export const table = [\n${"  { name: 'one' },\n".repeat(120)}];\n`,
  'server/reports/schema.ts': `import { z } from 'zod';\n\nexport const shape = z.object({\n${properties}});\n`,
  'server/reports/full.ts': statements(250),
  'server/reports/work.ts': step + functionWith(80, 'export function work() {'),
  'app/routes/wide.tsx': step + functionWith(120, 'export default function Wide() {'),
};

function build(...trees: Record<string, string>[]): string {
  const root = mkdtempSync(join(tmpdir(), 'law-'));
  roots.push(root);
  for (const file of configuration) copyFileSync(join(project, file), join(root, file));
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'));
  for (const [name, text] of Object.entries(Object.assign({}, ...trees) as Record<string, string>)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

const filesOf = (list: [string, string, string][]) => Object.fromEntries(list.map(([file, , text]) => [file, text]));
const pairs = (list: [string, string, string][]) => list.map(([file, rule]) => `${file}: ${rule}`).sort();

function run(root: string, tool: string, ...parameters: string[]) {
  const env = { ...process.env, NODE_ENV: 'production' };
  return spawnSync(join(project, 'node_modules', '.bin', tool), parameters, { cwd: root, env, encoding: 'utf8' });
}

function cruise(root: string): string[] {
  const { stdout } = run(root, 'depcruise', '--output-type', 'json', 'app', 'server', 'jobs');
  const { summary } = JSON.parse(stdout) as { summary: { violations: { from: string; rule: { name: string } }[] } };
  return summary.violations.map(({ from, rule }) => `${from}: ${rule.name}`).sort();
}

function lint(root: string): string[] {
  const { stdout } = run(root, 'biome', 'lint', '--reporter=json', '--max-diagnostics=none', '.');
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string; location: { path: string } }[] };
  return diagnostics.map(({ category, location }) => `${location.path}: ${category.replace('lint/', '')}`).sort();
}

afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

describe('the rules of the code', () => {
  test('a project without violations may import as it does', () => {
    expect(cruise(build(valid))).toEqual([]);
  });

  test('every violation of a rule about imports is reported, and nothing else', () => {
    expect(cruise(build(valid, hen, filesOf(importViolations)))).toEqual(pairs(importViolations));
  });

  test('a project without violations passes the linter, up to the limits of length', () => {
    expect(lint(build(valid, justWithin))).toEqual([]);
  });

  test('every violation of a rule of the linter is reported, and nothing else', () => {
    expect(lint(build(valid, filesOf(lintViolations)))).toEqual(pairs(lintViolations));
  });

  test('a project without violations builds, and no server value reaches the browser', () => {
    const { status, stderr } = run(build(valid), 'react-router', 'build');
    expect(stderr).not.toContain('into the browser');
    expect(status).toBe(0);
  });

  test('a server value in a browser component stops the build', () => {
    const leak = `import { rate } from '../../server/metrics/rate.ts';\n\nexport const Trend = () => <svg>{rate(1, 2)}</svg>;\n`;
    const { status, stderr } = run(build(valid, { 'app/charts/trend.tsx': leak }), 'react-router', 'build');
    expect(stderr).toContain('app/charts/trend.tsx brings server/metrics/rate.ts into the browser');
    expect(status).not.toBe(0);
  });

  test('a server value in the component of a page stops the build', () => {
    const leak = valid['app/routes/home.tsx'].replace('<Trend />', '{ask()}');
    const { status, stderr } = run(build(valid, { 'app/routes/home.tsx': leak }), 'react-router', 'build');
    expect(stderr).toContain('app/routes/home.tsx brings server/api/ask.ts into the browser');
    expect(status).not.toBe(0);
  });
});
