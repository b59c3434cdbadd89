import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';
import { getText } from './visited-site.ts';

let site: Site;
beforeEach(async () => {
  site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
});
afterEach(() => site?.stop());
afterAll(async () => closeContexts(await sharedBrowser()));

const read = async (path: string) => getText((await site.visit(path, { cookie: await site.signIn() })).text);

test('what could not be listed is not said to be nothing', async () => {
  await site.signIn();
  site.double.fault({ times: 1000 }, { kind: 'primary_limit' });
  for (const path of ['/search?q=octo', '/working-habits', '/team', '/reports']) {
    const words = await read(path);
    expect(words).not.toMatch(/Nothing found|You can see no repositories/);
    expect(words).toMatch(/Rate limit reached|could not be/);
  }
});

test('reviews that could not be loaded are not said to be none', async () => {
  const fault = { kind: 'failing_field', field: 'PullRequest.reviews', type: 'SERVICE_UNAVAILABLE' } as const;
  site.double.fault({ path: '/graphql', times: 1000 }, fault);
  const words = await read('/repos/octo/web/team');
  expect(words).toContain('Review load Reviews could not be loaded.');
  expect(await read('/repos/octo/web/team?tab=reviews')).not.toContain('No reviews by others.');
});

test('what is not known of any row has no column, and why is said once', async () => {
  const fault = { kind: 'failing_field', field: 'PullRequest.reviews', type: 'SERVICE_UNAVAILABLE' } as const;
  const heads = async (path: string, section: string) => {
    const { text } = await site.visit(path, { cookie: await site.signIn() });
    const part = text.slice(text.indexOf(`aria-label="${section}"`));
    return [...part.slice(0, part.indexOf('</thead>')).matchAll(/<th [^>]*>(.*?)<\/th>/g)].map(([, head = '']) =>
      getText(head).trim(),
    );
  };
  const team = ['/repos/octo/web/team', 'People'] as const;
  const open = ['/repos/octo/web/pull-requests', 'Open'] as const;
  expect(await heads(...team)).toEqual(expect.arrayContaining(['Merged', 'Reviews given', 'Time to review']));
  expect(await heads(...open)).toEqual(['Pull request', 'Waiting on', 'For', 'Age', 'Author', 'Rounds']);
  await site.stop();
  site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  site.double.fault({ path: '/graphql', times: 1000 }, fault);
  const left = await heads(...team);
  expect(left).toContain('Merged');
  expect(left.join()).not.toMatch(/review/i);
  expect(await heads(...open)).toEqual(['Pull request', 'Waiting on', 'Age', 'Author']);
  const words = await read(open[0]);
  expect(words).toMatch(/Incomplete\. What \d open pull requests? waits? for is unknown\. Reviews of \d/);
  expect(words).not.toContain('unknown: reviews');
  expect(words).not.toMatch(/No (reviewed|approved) pull requests/);
});

test('a brief of which a part is missing does not say that nothing changed', async () => {
  const path = '/contributor/ana/brief?owner=octo';
  expect(await read(path)).toMatch(/Conversation starters (No notable changes|No questions|\S+ )/);
  await site.stop();
  site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  const fault = { kind: 'failing_field', field: 'PullRequest.reviews', type: 'SERVICE_UNAVAILABLE' } as const;
  site.double.fault({ path: '/graphql', times: 1000 }, fault);
  const words = await read(path);
  expect(words).not.toContain('No notable changes');
  expect(words).toContain('Data is incomplete, so questions may be missing or wrong.');
  expect(words).toMatch(/Reviews of \d+ authored pull requests could not be read\./);
});

test('where what may be seen cannot be asked, the page says once why, and what becomes of stored runs', async () => {
  await site.signIn();
  site.double.fault({ times: 1000 }, { kind: 'primary_limit' });
  for (const path of ['/ci?org=octo', '/cost?org=octo']) {
    const words = await read(path);
    expect([path, words.match(/rate limit/gi)?.length]).toEqual([path, 1]);
    expect(words).toMatch(/Stored runs are shown once \S+ confirms which repositories you can see\./);
  }
});

test('where there is no repository, pages say that once', async () => {
  site.double.world.repositories = [];
  const security = await read('/security?org=octo');
  expect(security).toContain('octo has no repository that you can see and that is not archived.');
  expect(security).not.toMatch(/No source could be read|Severe workflow findings|Counts are repositories/);
  const repositories = await read('/repositories');
  expect(repositories).toContain('The token cannot see any repositories.');
  expect(repositories).not.toMatch(/No repositories|Visibility/);
  expect(await read('/team?org=octo')).not.toContain('How to read this');
});

test('who may not sync is sent nowhere to do it', async () => {
  const shared = await startSite({ MODE: 'organization', DEFAULT_GROUP: 'dev', RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  try {
    for (const [token, offered] of [
      ['token-ann', true],
      ['token-bo', false],
    ] as const)
      for (const path of ['/', '/ci', '/team?org=octo']) {
        const { text } = await shared.visit(path, { cookie: await shared.signIn(token) });
        const main = getText(text.slice(text.indexOf('<main'), text.indexOf('</main>')));
        expect([token, path, /Sync repositories|repositories to sync/.test(main)]).toEqual([token, path, offered]);
      }
  } finally {
    await shared.stop();
  }
});
