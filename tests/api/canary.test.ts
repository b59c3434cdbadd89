import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { platformToken } from '../codehost-double/platform-token.ts';

const root = resolve(import.meta.dirname, '../..');
const token = 'token-ann';
const script = platformToken(token);
const secrets = [
  token,
  script,
  'token-nobody',
  platformToken('token-nobody'),
  'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo',
  'ann@codehost.example',
];

/** Runs in a process of its own, because what the service logs goes to its standard output. */
const visitor = `
import { startService } from ${JSON.stringify(`${root}/tests/support/service.ts`)};
const service = await startService({ LOG_LEVEL: 'debug', DATABASE_URL: 'pglite://memory' });
const answers = [];
const ask = async (method, path, asked) => {
  const { status, headers, text } = await service.ask(method, path, asked);
  answers.push({ path, status, text, headers: [...headers].filter(([name]) => name !== 'set-cookie') });
};
const as = { as: '${token}' };
const bearer = { headers: { authorization: 'Bearer ${script}' } };
const web = 'owner=octo&repo=web';
const paths = ['auth/me', 'settings/team', 'codehost/repos', 'codehost/orgs', 'codehost/rate-limit', 'db/trends?' + web,
  'codehost/repo-summary?' + web, 'codehost/runs?workflow_id=7001&' + web, 'codehost/run-details?run_id=5011&' + web,
  'codehost/repo-overview?' + web, 'codehost/runs?workflow_id=1&' + web, 'codehost/workflows?owner=${token}&repo=..'];
await ask('POST', '/api/db/sync?' + web, as);
for (const path of paths) for (const how of [as, bearer]) await ask('GET', '/api/' + path, how);
const made = (await service.ask('POST', '/api/tokens', { ...as, body: { name: 'Canary', features: ['dora'] } })).body.token;
const own = { headers: { authorization: 'Bearer ' + made } };
for (const path of ['auth/me', 'codehost/repo-dora?' + web, 'db/trends?' + web, 'codehost/workflows?repo=x&owner=' + made])
  await ask('GET', '/api/' + path, own);
await ask('GET', '/api/codehost/workflows?owner=octo&repo=' + made, as);
await ask('POST', '/api/tokens', { ...as, body: { name: 'x', features: [], platform_token: made } });
await ask('POST', '/api/auth/setup', { body: { pat: made }, from: '10.1.1.4' });
await ask('POST', '/api/auth/setup', { body: { pat: 'token-nobody' }, from: '10.1.1.1' });
await ask('POST', '/api/auth/setup', { body: '{"pat":"${token}",', from: '10.1.1.2' });
await ask('POST', '/api/auth/setup', { body: { pat: '${token} ${token}' }, from: '10.1.1.3' });
await ask('GET', '/api/auth/me', { headers: { authorization: 'Bearer ${platformToken('token-nobody')}' } });
const issue = { title: 'Words of a title', body: 'Words of an issue' };
for (const kind of ['none', 'malformed_json', 'reset']) {
  if (kind !== 'none') service.double.fault({ path: /issues$/, method: 'POST' }, { kind });
  await ask('POST', '/api/codehost/create-issue', { ...as, body: { owner: 'octo', repo: 'web', ...issue, title: issue.title + kind } });
}
service.double.world.tokens.find((one) => one.token === '${token}').scopes = ['repo', 'workflow'];
service.double.addRepository({
  name: 'octo/advised',
  facts: { id: 90_900 },
  files: new Map([['.github/workflows/ci.yml', 'on: push\\njobs:\\n  a:\\n    runs-on: ubuntu-24.04\\n    steps:\\n      - run: make\\n']]),
});
const advised = 'owner=octo&repo=advised';
const [{ id }] = (await service.ask('GET', '/api/advisor/recommendations?' + advised, as)).body.recommendations;
const [{ path, base_blob }] = (await service.ask('GET', '/api/advisor/patch?' + advised + '&ids=' + id, as)).body.files;
for (const kind of ['status', 'none']) {
  if (kind !== 'none') service.double.fault({ path: /pulls$/, method: 'POST' }, { kind, status: 403, message: 'Words of a refusal' });
  const wish = { owner: 'octo', repo: 'advised', ids: [id], base_blobs: { [path]: base_blob }, note: 'Words of a note' };
  await ask('POST', '/api/advisor/pull-request', { ...as, body: { ...wish, title: 'Words of ' + kind } });
}
service.clock.advance(600_000);
for (const kind of ['malformed_json', 'cut_body']) {
  service.double.fault({ path: /repos/, times: 50 }, { kind });
  await ask('GET', '/api/codehost/workflows?' + web, as);
  await ask('POST', '/api/db/sync?' + web, as);
  service.double.reset();
}
service.app.services.connect = () => { throw new Error('a defect'); };
await ask('GET', '/api/codehost/orgs', as);
await ask('DELETE', '/api/auth/setup', as);
process.stderr.write('made ' + made + '\\n' + JSON.stringify(answers));
await service.close();
`;

interface Seen {
  path: string;
  status: number;
  text: string;
  headers: [string, string][];
}

const seen = { answers: [] as Seen[], log: '', accessToken: '' };

beforeAll(() => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', visitor], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 50_000_000,
  });
  if (status !== 0) throw new Error(stderr);
  seen.log = stdout;
  seen.accessToken = /^made (dast_\w+)$/m.exec(stderr)?.[1] ?? '';
  seen.answers = JSON.parse(stderr.slice(stderr.indexOf('[{'))) as Seen[];
});

describe('a token', () => {
  test('appears in no answer, neither in the body nor in a header', () => {
    expect(seen.answers.length).toBeGreaterThan(30);
    expect(new Set(seen.answers.map(({ status }) => status))).toEqual(
      new Set([200, 201, 400, 401, 403, 404, 500, 502]),
    );
    for (const secret of secrets.slice(0, 3))
      expect(seen.answers.filter((one) => JSON.stringify(one.text).includes(secret)).map(({ path }) => path)).toEqual(
        [],
      );
    expect(seen.accessToken).toHaveLength(54);
    for (const { text, headers } of seen.answers) {
      expect(text).not.toContain(seen.accessToken);
      expect(JSON.stringify(headers)).not.toMatch(/token-|dast_/);
    }
  });

  test('appears in no line of the log, nor does an email address or a query', () => {
    const lines = seen.log.trim().split('\n');
    expect(lines.length).toBeGreaterThan(30);
    for (const secret of [...secrets, seen.accessToken])
      expect(lines.filter((line) => line.includes(secret))).toEqual([]);
    expect(seen.log).not.toMatch(/das_session|authorization|workflow_id=/i);
  });
});

describe('the log', () => {
  test('has one line for each request, with the id that the caller saw', () => {
    const lines = seen.log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const { path, status, headers } of seen.answers) {
      const id = headers.find(([name]) => name === 'x-request-id')?.[1];
      const own = lines.filter((line) => line.request_id === id && 'ms' in line);
      expect(own).toHaveLength(1);
      expect(own[0]).toMatchObject({ status, path: path.split('?')[0] });
    }
  });

  test('holds nothing of an issue that was filed or could not be', () => {
    const filed = seen.answers.filter(({ path }) => path.endsWith('/create-issue'));
    expect(filed.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(seen.log).not.toContain('Words of');
  });

  test('holds nothing of what a pull request says', () => {
    const opened = seen.answers.filter(({ path }) => path.endsWith('/pull-request'));
    expect(opened.map(({ status }) => status)).toEqual([403, 201]);
    expect(seen.log).not.toMatch(/Words of|make/);
  });

  test('reports a defect what the answer keeps back', () => {
    const defect = seen.answers.find(({ status }) => status === 500);
    expect(defect?.text).toContain('"code":"internal"');
    expect(defect?.text).not.toContain('a defect');
    expect(seen.log).toContain('a defect');
  });
});
