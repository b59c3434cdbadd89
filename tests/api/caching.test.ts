import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { operations } from '../../server/api/registry.ts';
import { formatCsv, toCsv } from '../../server/http/csv.ts';
import { anyDatabase } from '../support/service.ts';
import { administered, guarded, named, visitService, withQuery } from './endpoints.ts';

const visit = visitService({ DATABASE_URL: anyDatabase });
const ann = { as: 'token-ann' };
/** Without those that the named world has nothing for. */
const readable = guarded.filter(
  ({ method, path, status = 200 }) =>
    method === 'GET' && status === 200 && /^\/api\/(advisor|codehost|db)\//.test(path),
);
/** The one answer that is stored for a while. */
const brief = '/api/ai/status';
const rest = guarded.filter((one) => !readable.includes(one) && one.path !== brief);
const ask = (path: string, headers: Record<string, string> = {}) => visit.service.ask('GET', path, { ...ann, headers });
/** What is given in part at first, where reading it takes longer than somebody waits. */
const readOnBehind: readonly string[] = ['/api/codehost/org-contributors', '/api/codehost/org-health-scorecard'];
const isComplete = async (path: string) => (await ask(path)).headers.get('x-partial') !== 'true';

describe('what a browser may keep', () => {
  test.each(readable)('$path: to be checked again each time', async ({ path, query }) => {
    if (readOnBehind.includes(path)) await expect.poll(() => isComplete(withQuery(path, query))).toBe(true);
    const first = await ask(withQuery(path, query));
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const isFile = operations.some((one) => one.path === path && (one.rows || one.diff));
    expect(first.headers.get('vary')).toBe(`Cookie, Authorization${isFile ? ', Accept' : ''}`);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{20,}"$/);
    const again = await ask(withQuery(path, query), { 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.get('etag')).toBe(etag);
    expect(again.headers.get('cache-control')).toBe('private, no-cache');
    expect(again.headers.get('x-request-id')).toMatch(/\S/);
    expect((await ask(withQuery(path, query), { 'if-none-match': 'W/"something-else"' })).status).toBe(200);
  });

  test.each<[string, (tag: string) => string, number]>([
    ['among others', (tag) => `"other", ${tag} , W/"third"`, 304],
    ['as a strong tag', (tag) => tag.slice(2), 304],
    ['any', () => ' * ', 304],
    ['only others', () => 'W/"other", "third"', 200],
    ['the same in other words', (tag) => tag.toLowerCase().slice(2), 200],
    ['a part of it', (tag) => `${tag.slice(0, -5)}"`, 200],
    ['without quotes', (tag) => tag.slice(3, -1), 200],
    ['any, in quotes', () => '"*"', 200],
    ['nothing', () => '', 200],
  ])('known is %s', async (_, known, status) => {
    const path = '/api/codehost/workflows?owner=octo&repo=web';
    const etag = (await ask(path)).headers.get('etag') ?? '';
    expect((await ask(path, { 'if-none-match': known(etag) })).status).toBe(status);
  });

  test.each(rest)('$method $path: nothing', async ({ method, path, query, body, status = 200 }) => {
    // Three test messages a minute, by more operations than three.
    if (path.endsWith('/test')) visit.service.clock.advance(21_000);
    const answer = await visit.service.ask(method, withQuery(path, query), { ...ann, body });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, 'private, no-store']);
    expect(answer.headers.get('etag')).toBeNull();
  });

  test('who writes texts: for a minute, in this browser', async () => {
    expect((await ask(brief)).headers.get('cache-control')).toBe('private, max-age=60');
  });

  test('an error: nothing, and it is not confused with what was stored', async () => {
    const path = '/api/codehost/workflows?owner=octo&repo=web';
    const etag = (await ask(path)).headers.get('etag') ?? '';
    const answer = await visit.service.ask('GET', path, { headers: { 'if-none-match': etag } });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([401, 'private, no-store']);
    expect(answer.headers.get('etag')).toBeNull();
  });

  test('another caller has another answer, and what changed is new', async () => {
    const path = '/api/codehost/repos';
    const etag = (await ask(path)).headers.get('etag') ?? '';
    const bo = await visit.service.ask('GET', path, { as: 'token-bo', headers: { 'if-none-match': etag } });
    expect([bo.status, bo.body.length]).toEqual([200, 1]);
    visit.service.double.addRepository({ name: 'octo/fresh' });
    visit.service.clock.advance(60_000);
    const answer = await ask(path, { 'if-none-match': etag });
    expect([answer.status, answer.body.length]).toEqual([200, 217]);
  });

  test.each([
    ['/api/health', 'no-store'],
    ['/api/ready', 'no-store'],
    ['/api/openapi.json', 'public, max-age=3600'],
    ['/api/demo?resource=repos', 'public, max-age=3600'],
  ])('%s: %s', async (path, expected) => {
    const { headers } = await visit.service.ask('GET', path);
    expect([headers.get('cache-control'), headers.get('set-cookie')]).toEqual([expected, null]);
  });

  test('health is well without database and platform, whatever cookie comes', async () => {
    const cookie = await visit.service.signIn('token-ann');
    visit.service.double.requests.length = 0;
    for (const headers of [{}, { cookie }, { cookie: 'das_session=garbage' }] as Record<string, string>[]) {
      const answer = await visit.service.ask('GET', '/api/health', { headers });
      expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    expect(visit.service.double.requests).toEqual([]);
  });
});

describe('tables as CSV', () => {
  const runs = '/api/codehost/runs?owner=octo&repo=web&workflow_id=7001';
  const lines = (text: string) =>
    text
      .replace(/^\ufeff/, '')
      .trimEnd()
      .split('\r\n');

  test.each([
    [`${runs}&format=csv`, {}],
    [runs, { accept: 'text/csv' }],
  ] as [string, Record<string, string>][])('%s %j', async (path, headers) => {
    const answer = await ask(path, headers);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(answer.headers.get('x-total-count')).toBe('13');
    const [header, first, ...more] = lines(answer.text);
    expect(header).toMatch(/^id,name,display_title,event,head_branch,.*,actor\.login,actor\.avatar_url,/);
    expect(first).toMatch(/^5013,CI,Change 5013,push,main,/);
    expect(more).toHaveLength(11 + 1);
    const head = await visit.service.ask('HEAD', path, { ...ann, headers });
    expect([head.text, head.headers.get('content-type')]).toEqual(['', 'text/csv; charset=utf-8']);
  });

  test.each(readable)('$path: every table, and nothing else', async ({ path, query }) => {
    const { body } = await ask(withQuery(path, query));
    const isTable = operations.some((one) => one.path === path && one.rows !== undefined);
    if (Array.isArray(body) || Array.isArray(body.runs) || Array.isArray(body.data)) expect(isTable).toBe(true);
    const csv = await ask(withQuery(path, query ? `${query}&format=csv` : 'format=csv'));
    expect(csv.headers.get('content-type')?.startsWith(isTable ? 'text/csv' : 'application/json')).toBe(true);
  });

  test('what was stored as one is not taken for the other', async () => {
    const etag = (await ask(runs)).headers.get('etag') ?? '';
    const csv = await ask(runs, { accept: 'text/csv', 'if-none-match': etag });
    expect([csv.status, csv.headers.get('vary')]).toEqual([200, 'Cookie, Authorization, Accept']);
  });

  test('an error stays JSON', async () => {
    const answer = await ask('/api/codehost/workflows?owner=octo&repo=nothing&format=csv');
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  });

  const formulas = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\ntext',
    '\r\ntext',
    '\ttext',
    '=1+1\nmore',
    '\n=1',
    ' =1',
    '\ufeff=1',
    '\u200b=1',
    '\u0000=1',
    '＝1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    '﹦1',
    '\n＝1',
  ];

  test.each(formulas)('%j is no formula', (text) => {
    const csv = toCsv([{ text, n: -1, float: -1.5 }], { text, n: 0, float: 0 }, { guarded: true });
    expect(Papa.parse<string[]>(csv.trimEnd()).data[1]).toEqual([`'${text}`, '-1', '-1.5']);
  });

  test.each(formulas)('%j is left as it is for machines', (text) => {
    const csv = toCsv([{ text }], { text }, { guarded: false });
    expect(Papa.parse<string[]>(csv.slice(0, -2)).data[1]).toEqual([text]);
  });

  test.each([
    ['x;=1', "x;'=1"],
    ['x; -1', "x;' -1"],
    ['x\t@a', "x\t'@a"],
    ['x\n=1', "x\n'=1"],
    ['+1\r\n=2', "'+1\r'\n=2"],
    ['=1;+2', "'=1;'+2"],
    ['a;"=HYPERLINK(1);', 'a;"\'=HYPERLINK(1);'],
    ['a\t" @x"', 'a\t"\' @x"'],
  ])('%j holds no formula behind what separates cells and rows elsewhere', (text, guarded) => {
    const csv = toCsv([{ text }], { text }, { guarded: true });
    expect(Papa.parse<string[]>(csv.slice(0, -2)).data[1]).toEqual([guarded]);
    const plain = toCsv([{ text }], { text }, { guarded: false });
    expect(Papa.parse<string[]>(plain.slice(0, -2)).data[1]).toEqual([text]);
  });

  test.each(['plain', '1-1', 'a=b', 'a;b', 'x\ny', '', '日本＝'])('%j is text already', (text) => {
    const csv = toCsv([{ text, n: 1 }], { text, n: 0 }, { guarded: true });
    expect(Papa.parse<string[]>(csv.slice(0, -2)).data[1]).toEqual([text, '1']);
  });

  test('the file is named by what it is about', async () => {
    const { headers } = await ask(`${runs}&format=csv`);
    expect(headers.get('content-disposition')).toBe('attachment; filename="runs-octo-web.csv"');
    expect((await ask(runs)).headers.get('content-disposition')).toBeNull();
  });

  test('a title from outside is no formula, unless a program asks for it as it is', async () => {
    visit.service.clock.advance(60_000);
    visit.service.double.putRun('octo/fork', { id: 700, displayTitle: '=HYPERLINK("https://elsewhere.example")' });
    const fork = '/api/codehost/runs?owner=octo&repo=fork&workflow_id=10051&format=csv';
    const title = `=HYPERLINK(""https://elsewhere.example"")"`;
    expect((await ask(fork)).text).toContain(`,"'${title}`);
    expect((await ask(`${fork}&csv_guard=on`)).text).toContain(`,"'${title}`);
    expect((await ask(`${fork}&csv_guard=off`)).text).toContain(`,"${title}`);
    const { status, body } = await ask(`${fork}&csv_guard=no`);
    expect([status, body.details.fields[0].field, body.details.allowed]).toEqual([400, 'csv_guard', ['on', 'off']]);
    const twice = await ask(`${fork}&csv_guard=on&csv_guard=off`);
    expect([twice.status, twice.body.details.fields]).toEqual([
      400,
      [expect.objectContaining({ field: 'csv_guard', reason: 'duplicate' })],
    ]);
  });

  test('what the first row lacks is still reported for the others', () => {
    const rows = [
      { id: 1, actor: null, tags: [] },
      { id: 2, actor: { login: 'ann' }, tags: ['a,b'] },
    ];
    const model = { id: 0, actor: { login: '' }, tags: [] };
    expect(lines(toCsv(rows, model, { guarded: true }))).toEqual(['id,actor.login,tags', '1,,[]', '2,ann,"[""a,b""]"']);
    expect(toCsv([], model, { guarded: true })).toBe('\ufeffid,actor.login,tags\r\n');
  });

  const tables = guarded.filter(({ method, path }) =>
    operations.some((one) => one.method === method && one.path === path && one.rows),
  );
  // What is not there, or switched off, has no table.
  const withTables = tables.filter(({ status }) => status !== 404 && status !== 409);

  test.each(withTables)('$path: a table without rows has the same header', async ({ path, query }) => {
    const { body } = await ask(withQuery(path, query));
    const operation = operations.find((one) => one.path === path);
    if (!operation?.rows) throw new Error(`${path} is no table`);
    const full = formatCsv(operation, body, { guarded: true }) ?? '';
    const lists = (value: unknown): unknown => (Array.isArray(value) ? [] : value);
    const emptied = Array.isArray(body)
      ? []
      : Object.fromEntries(Object.entries(body).map(([key, value]) => [key, lists(value)]));
    expect(operation.rows(emptied)).toEqual([]);
    const [header = '', ...none] = lines(formatCsv(operation, emptied, { guarded: true }) ?? '');
    expect([header, none]).toEqual([lines(full)[0], []]);
    for (const row of operation.rows(body))
      for (const key of Object.keys(row)) expect(`,${header}`).toMatch(new RegExp(`,${key}[.,]|,${key}$`));
  });

  test('no table is excluded', () => {
    const others = administered.filter((given) => operations.some((one) => named(one) === named(given) && one.rows));
    const request = [...tables, ...others].map(({ path }) => path).sort();
    expect(request).toEqual(operations.flatMap((one) => (one.rows ? [one.path] : [])).sort());
  });

  test('trends without a day have the columns of their kind', async () => {
    const header = async (query: string) =>
      lines((await ask(`/api/db/trends?owner=octo&repo=web&format=csv${query}`)).text)[0];
    expect(await header('')).toMatch(/^date,total,.*,p95_duration_ms$/);
    expect(await header('&type=quarterly')).toMatch(/^quarter,year,.*,partial$/);
  });
});
