import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterEach, describe, expect, it } from 'vitest';
import { clientOf, errorOf, startPlatform } from './platform.ts';

interface Recorded {
  method: string;
  path: string;
  status: number;
  response: unknown;
  headers: Record<string, string>;
}

const scenarios = new URL(
  'scenarios/api.github.com/',
  `file://${createRequire(import.meta.url).resolve('@octokit/fixtures')}`,
);

const recorded = (scenario: string): Recorded[] =>
  JSON.parse(readFileSync(new URL(`${scenario}/normalized-fixture.json`, scenarios), 'utf8'));

let close = async () => {};
afterEach(() => close());

/** Plays recorded reads back. */
async function replay(scenario: string) {
  const reads = recorded(scenario).filter(({ method }) => method === 'get');
  const platform = await startPlatform((seen, answer) => {
    const found = reads.find(({ path }) => path === seen.url);
    if (!found) return answer.json(404, { message: 'Not Found' });
    const { location, link, etag } = found.headers;
    const here = (text: string) => text.replaceAll('https://api.github.com', platform.url);
    return answer.json(found.status, found.response, {
      ...(location ? { location: here(location) } : {}),
      ...(link ? { link: here(link) } : {}),
      ...(etag ? { etag } : {}),
    });
  });
  close = platform.close;
  return { platform, ...clientOf(platform.url) };
}

describe('recorded answers of the platform', () => {
  it('a repository is understood', async () => {
    const { codehost } = await replay('get-repository');
    const repository = await codehost.repositories.get({ owner: 'octokit-fixture-org', repo: 'hello-world' });
    expect(repository).toMatchObject({
      owner: 'octokit-fixture-org',
      repo: 'hello-world',
      id: 1000,
      defaultBranch: 'master',
      visibility: 'public',
      ownerType: 'org',
      archived: false,
      fork: false,
      updatedAt: Date.parse('2017-10-10T16:00:00Z'),
    });
  });

  it('a renamed repository is followed to its new name', async () => {
    const { codehost, sent } = await replay('rename-repository');
    const request = { owner: 'octokit-fixture-org', repo: 'rename-repository' };
    expect((await codehost.repositories.get(request)).repo).toBe('rename-repository-newname');
    expect(codehost.repositories.canonical(request)).toEqual({
      owner: 'octokit-fixture-org',
      repo: 'rename-repository-newname',
    });
    expect(sent.map(({ status }) => status)).toEqual([301, 200]);
  });

  it('an organization is understood as one of a list', async () => {
    const [organization] = recorded('get-organization').map(({ response }) => response);
    const platform = await startPlatform((_seen, answer) => answer.json(200, [organization]));
    close = platform.close;
    const { items } = await clientOf(platform.url).codehost.organizations.mine();
    expect(items).toEqual([
      {
        login: 'octokit-fixture-org',
        avatarUrl: expect.stringMatching(/^https:/),
        description: (organization as { description: string | null }).description,
      },
    ]);
  });

  it('a rejected request keeps its words to itself', async () => {
    const rejected = recorded('errors')[0] as Recorded;
    const platform = await startPlatform((_seen, answer) => answer.json(rejected.status, rejected.response));
    close = platform.close;
    const problem = await errorOf(clientOf(platform.url).codehost.viewer());
    expect([problem.code, problem.details]).toEqual(['upstream_unavailable', { upstream_status: 422 }]);
    expect(problem.message).not.toContain('Validation');
  });

  it('recorded paging headers lead to every page', async () => {
    const pages = recorded('paginate-issues').filter(({ method, headers }) => method === 'get' && headers.link);
    const links = pages.map(({ headers }) => headers.link as string);
    const wire = recorded('get-repository').find(({ method }) => method === 'get')?.response as object;
    const platform = await startPlatform((seen, answer) => {
      const page = Number(new URL(seen.url, 'http://test').searchParams.get('page'));
      answer.json(200, [{ ...wire, id: page }], { link: links[page - 1] ?? '' });
    });
    close = platform.close;
    const { items, partial } = await clientOf(platform.url).codehost.repositories.mine();
    expect(items.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    expect(partial).toBe(false);
  });
});
