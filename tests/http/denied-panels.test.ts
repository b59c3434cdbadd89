import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadPanels, loadStored } from '../../server/http/adapters.ts';
import { createContext } from '../../server/http/context.ts';
import { getDelivery } from '../../server/reports/delivery/operations.ts';
import { getIssues } from '../../server/reports/issues/operations.ts';
import { getContributorProfile } from '../../server/reports/profile/operations.ts';
import { cookieOf, type Member, settle } from '../access/personas.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let tokens: Record<Member, string>;
beforeAll(async () => {
  service = await startService({ MODE: 'organization' });
  tokens = await settle(service);
});
afterAll(() => service.close());

/** What is stored for somebody in dev, of whom some of it is shown. */
async function load(preferences = '') {
  const as = tokens['in dev'];
  for (const path of ['repo-dora', 'issues'])
    expect((await service.ask('GET', `/api/codehost/${path}?owner=octo&repo=web`, { as })).status).toBe(200);
  const headers = new Headers({ cookie: `${await cookieOf(service, as)}${preferences}` });
  const url = new URL('http://localhost:3000/repos/octo/web?owner=octo&repo=web&login=ana');
  const { signal } = new AbortController();
  const context = createContext(service.app.services, { method: 'GET', url, headers, address: '127.0.0.1', signal });
  const wanted = { delivery: getDelivery, issues: getIssues, profile: getContributorProfile };
  const panels = await loadStored(() => loadPanels({ context, params: {} }, wanted));
  return panels && Object.entries(panels).map(([name, one]) => [name, one.ok ? 'shown' : one.problem.code]);
}

test('what is stored is shown beside what the caller may not see', async () => {
  expect(await load()).toEqual([
    ['delivery', 'shown'],
    ['issues', 'shown'],
    ['profile', 'forbidden'],
  ]);
});

test('nothing that is stored is shown of what the caller hides', async () => {
  expect(await load('; das_prefs=dora')).toEqual([
    ['delivery', 'hidden'],
    ['issues', 'shown'],
    ['profile', 'forbidden'],
  ]);
});
