import { expect, test } from 'vitest';
import { getText, visitSite } from './visited-site.ts';

const visit = visitSite();

/** Somebody who belongs to nothing and sees no repository. */
async function signInNewcomer(): Promise<string> {
  const { world } = visit.site.double;
  world.accounts.push({ id: 900, login: 'nia', name: 'Nia', email: null, memberOf: [] });
  world.tokens.push({ token: 'token-nia', login: 'nia', scopes: ['repo'], authorizedFor: [], only: [] });
  return visit.site.signIn('token-nia');
}

test('who sees no repository is offered no sync', async () => {
  const cookie = await signInNewcomer();
  const home = await visit.read('/', cookie);
  expect(home.content).toContain('You can see no repositories to sync. Ask for access to one or use another token');
  for (const path of ['/', '/reports', '/ci']) {
    const { status, text } = await visit.read(path, cookie);
    expect([path, status, /Sync now|to sync<\/a>|Sync repositories<\/a>/.test(withoutSteps(text))]).toEqual([
      path,
      200,
      false,
    ]);
  }
});

test('who sees no repository is told what to do first', async () => {
  const cookie = await signInNewcomer();
  for (const path of ['/working-habits', '/team', '/reports', '/ci']) {
    const { content, links } = await visit.read(path, cookie);
    expect([path, content]).toEqual([
      path,
      expect.stringMatching(/You can see no repositories on \S+ Ask for access to one, or use another token\./),
    ]);
    expect(links).toContain('/setup');
  }
});

/** The checklist lists its steps whatever can be done. */
const withoutSteps = (html: string) => html.replace(/<ol class="steps">.*?<\/ol>/s, '');

test('nor is who looks at a repository that is not there', async () => {
  const { status, content } = await visit.read('/reports?repo=octo%2Fnowhere');
  expect(status).toBe(404);
  expect(content).not.toContain('Sync now');
  expect((await visit.read('/reports?repo=octo%2Fweb')).content).toContain('Sync now');
  expect((await visit.read('/')).content).toContain('Sync now');
});

test('an organization of which only repositories are seen is one on every page', async () => {
  const { world } = visit.site.double;
  world.tokens.push({ token: 'token-outside', login: 'dot', scopes: ['repo'], authorizedFor: [], only: null });
  world.accounts.push({ id: 901, login: 'dot', name: 'Dot', email: null, memberOf: [] });
  const web = world.repositories.find(({ facts }) => facts.owner === 'octo' && facts.repo === 'web');
  web?.collaborators.push('dot');
  const cookie = await visit.site.signIn('token-outside');
  const [team, security] = await Promise.all(['/team', '/security'].map((path) => visit.read(path, cookie)));
  expect(getText(team?.text ?? '')).toContain('Team of octo');
  expect(getText(security?.text ?? '')).toContain('Security of octo');
});

test('links lead to no organization that is the reader’s own account', async () => {
  for (const path of ['/repos/ann/dotfiles', '/team?org=ann', '/ci?org=ann']) {
    const { status, links } = await visit.read(path);
    expect([path, status]).toEqual([path, 200]);
    expect(links).toContain('/?org=ann');
    expect(links.filter((href) => /\/org\/ann|security\?org=ann/.test(href))).toEqual([]);
  }
  for (const path of ['/?org=ann', '/repositories?org=ann']) {
    const { status, content } = await visit.read(path);
    expect([path, status, content.includes('Not found')]).toEqual([path, 200, false]);
  }
  expect((await visit.read('/repos/octo/web')).links).toContain('/org/octo');
});
