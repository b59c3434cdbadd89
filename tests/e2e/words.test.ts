// What pages say in full, empty, partial and forbidden states, put together from parts of sentences as it is shown.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addBusyRepository } from '../recorded/busy-repository.ts';
import { forbiddenPages, otherPages, pagesOfAdministrators } from '../recorded/page-addresses.ts';
import { type Site, startSite } from '../support/site.ts';
import { oldPhrases } from '../words/phrases.ts';
import { pages } from './known-pages.ts';
import { getText } from './visited-site.ts';

let alone: Site;
let organization: Site;

beforeAll(async () => {
  const env = { RATE_LIMIT_SESSION_PER_MINUTE: '0' };
  [alone, organization] = await Promise.all([startSite(env), startSite({ ...env, MODE: 'organization' })]);
  addBusyRepository(alone.double.world);
  await organization.signIn('token-ann');
});

afterAll(() => Promise.all([alone?.stop(), organization?.stop()]));

/** Old phrases on pages, as somebody or a visitor sees them. */
async function phrasesOn(site: Site, paths: readonly string[], token?: string): Promise<string[]> {
  const cookie = token === undefined ? undefined : await site.signIn(token);
  const found: string[] = [];
  const left = [...new Set(paths)];
  const visitNext = async (): Promise<void> => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      const { text } = await site.visit(path, cookie === undefined ? {} : { cookie });
      for (const phrase of oldPhrases(getText(text))) found.push(`${path} ${phrase}`);
    }
  };
  await Promise.all([visitNext(), visitNext(), visitNext()]);
  return found.toSorted();
}

const known = pages.map(({ path }) => path);
/** Without the demo and the documentation, which send the platform no request (`pages.test.ts`). */
const live = known.filter((path) => !/^\/(demo|docs)/.test(path));

test('no page of somebody alone has a phrase that was replaced', async () => {
  expect(await phrasesOn(alone, [...known, ...otherPages], 'token-ann')).toEqual([]);
});

test('no page of somebody who may not see it, and none for everybody', async () => {
  expect(await phrasesOn(alone, forbiddenPages, 'token-bo')).toEqual([]);
  expect(await phrasesOn(alone, known)).toEqual([]);
});

test('no page of which the platform gives a part or nothing', async () => {
  const path = /\/actions\/(runs|workflows)|\/pulls|\/deployments|-alerts/;
  alone.double.fault({ path, times: 10_000 }, { kind: 'status', status: 403 });
  alone.double.fault({ path: '/graphql', times: 10_000 }, { kind: 'graphql_error', type: 'FORBIDDEN' });
  expect(await phrasesOn(alone, [...live, ...otherPages], 'token-ann-fine')).toEqual([]);
  alone.double.reset();
});

test('no page of an organization, for administrators, for others, and for a visitor', async () => {
  const paths = [...live, ...pagesOfAdministrators];
  expect(await phrasesOn(organization, paths, 'token-ann')).toEqual([]);
  expect(await phrasesOn(organization, paths, 'token-bo')).toEqual([]);
  expect(await phrasesOn(organization, ['/login', '/login?error=server', '/no-access'])).toEqual([]);
});
