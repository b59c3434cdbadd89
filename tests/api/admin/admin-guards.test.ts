import { expect, test } from 'vitest';
import { operations } from '../../../server/api/registry.ts';
import { formatCsv } from '../../../server/http/csv.ts';
import { bearerOf } from '../../codehost-double/platform-token.ts';
import { administered, expectHouseHeaders, expectProblem, named, visitService, withQuery } from '../endpoints.ts';

const visit = visitService({ MODE: 'organization' });

test('every operation of administrators is answered, and nothing of it is stored', async () => {
  const found: unknown[] = [];
  for (const one of administered) {
    const { path, address = path, query, body } = one;
    const answer = await visit.service.ask(one.method, withQuery(address, query), { as: 'token-ann', body });
    found.push([named(one), answer.status]);
    expectHouseHeaders(answer);
    expect([answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual(['private, no-store', null]);
  }
  expect(found).toEqual(administered.map((one) => [named(one), one.status ?? 200]));
});

const tables = administered.filter((one) => operations.some((each) => named(each) === named(one) && each.rows));

test.each(tables)('$path as CSV has the same columns with and without rows', async (table) => {
  const operation = operations.find((one) => named(one) === named(table));
  const question = withQuery(table.path, table.query);
  const request = { as: 'token-ann', headers: { accept: 'text/csv' } };
  const csv = await visit.service.ask('GET', question, request);
  expect([csv.headers.get('content-type'), csv.headers.get('vary')]).toEqual(['text/csv; charset=utf-8', 'Accept']);
  const { body } = await visit.service.ask('GET', question, { as: 'token-ann' });
  const lists = (value: unknown): unknown => (Array.isArray(value) ? [] : value);
  const emptied = Object.fromEntries(Object.entries(body).map(([key, value]) => [key, lists(value)]));
  const header = (text: string) => text.trim().split('\r\n')[0];
  if (!operation) throw new Error(`${table.path} is not there`);
  expect(header(formatCsv(operation, emptied, { guarded: true }) ?? '')).toBe(header(csv.text));
  for (const row of operation.rows?.(body) ?? [])
    for (const key of Object.keys(row)) expect(`,${header(csv.text)}`).toMatch(new RegExp(`,${key}[.,]|,${key}$`));
});

test('a script with an administrator’s own token reads what its owner may, and changes nothing', async () => {
  await visit.service.signIn('token-ann');
  const headers = { ...bearerOf('token-ann'), origin: 'https://elsewhere.example' };
  const body = { group: 'pm', flag: 'dora', granted: false };
  const answer = await visit.service.ask('PUT', '/api/admin/permissions', { headers, body });
  expectProblem(answer, 403, 'session_required');
  expect((await visit.service.ask('GET', '/api/admin/permissions', { headers })).status).toBe(200);
});
