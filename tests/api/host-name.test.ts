// Texts speak of GitHub as it is called where the service runs.
import { expect, test } from 'vitest';
import { namedNow } from '../codehost-double/named-world.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { anyDatabase } from '../support/service.ts';
import { visitService } from './endpoints.ts';

const visit = visitService({ CODEHOST_WEB_URL: 'https://ghe.acme.example', DATABASE_URL: anyDatabase });
const ask = (path: string) => visit.service.ask('GET', path, { as: 'token-ann' });

test('an error of the host names it', async () => {
  const body = { pat: `ghp_${'x'.repeat(36)}` };
  const rejected = await visit.service.ask('POST', '/api/auth/setup', { body, from: '10.1.0.1' });
  expect([rejected.status, rejected.body.error]).toEqual([401, 'ghe.acme.example rejected this token.']);
  visit.service.double.fault({ path: '/user/orgs', times: 1000 }, { kind: 'status', status: 502 });
  const failed = await ask('/api/codehost/orgs');
  expect([failed.status, failed.body.error]).toEqual([502, 'ghe.acme.example is not responding properly.']);
});

test('a problem within an answer names it', async () => {
  visit.service.double.fault(
    { path: '/graphql', times: 1000 },
    { kind: 'lost_repository', repo: 'no-issues', type: null },
  );
  const { items } = (await ask('/api/codehost/repo-attention?org=octo&per_page=25')).body;
  const problems = items.flatMap(({ problem }: { problem: { error: string } | null }) => problem?.error ?? []);
  expect(problems).toEqual([expect.stringMatching(/^ghe\.acme\.example did not return .* of this repository\.$/)]);
});

test('data coverage names it', async () => {
  const { store } = visit.service.app.services;
  const { facts } = repositoryOf(visit.service.double.world, 'octo/empty');
  await visit.service.ask('POST', '/api/db/sync?owner=octo&repo=empty', { as: 'token-ann' });
  const id = (await store?.repositories.find(facts))?.id ?? 0;
  await store?.repositories.unreachable(id, 'not_found', namedNow);
  const { readings } = (await ask('/api/db/collection?owner=octo&repo=empty')).body;
  expect(readings[0].missing).toMatch(/^ghe\.acme\.example has returned “not found” for the repository since /);
});

test('the description of the API names it, and GitHub only in names of products', async () => {
  const { text, body } = await ask('/api/openapi.json');
  expect(body.tags).toContainEqual({ name: 'webhooks', description: 'ghe.acme.example webhook events.' });
  const named = text.match(/[^"]*\bGitHub\b[^"]*/g) ?? [];
  expect([...new Set(named)].toSorted()).toEqual(['X-GitHub-Delivery', 'X-GitHub-Event']);
});
