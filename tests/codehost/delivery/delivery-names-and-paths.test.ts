import { describe, expect, it } from 'vitest';
import { clientOf, platformOfEachTest } from '../platform.ts';
import { searchAnswer, variablesOf, wirePullRequest } from './wire-delivery.ts';

const platform = platformOfEachTest((_seen, answer) => answer.json(404, {}));

const web = { owner: 'octo', repo: 'web' };
const day = 86_400_000;
const now = Date.parse('2026-03-10T12:00:00Z');
const quarter = now - 90 * day;

describe('a renamed repository', () => {
  it('is searched under its new name', async () => {
    platform.handler = ({ body }, answer) => {
      const found = String(variablesOf(body).terms).includes('repo:octo/site ');
      const items = found ? [wirePullRequest()] : [];
      answer.json(200, searchAnswer(items, { issueCount: items.length, name: 'site' }));
    };
    const { codehost } = clientOf(platform.url);
    expect((await codehost.pullRequests.merged(web, quarter, now)).items).toHaveLength(1);
    expect(codehost.repositories.canonical(web)).toEqual({ owner: 'octo', repo: 'site' });
    expect(platform.requests).toHaveLength(2);
    await codehost.pullRequests.closed(web, quarter);
    expect(platform.requests).toHaveLength(3);
  });
});

describe('directories', () => {
  it('that the platform gives no answer for leave commits undecided', async () => {
    const commit = {
      oid: 'a1',
      authoredDate: '2026-03-01T00:00:00Z',
      committedDate: '2026-03-01T00:00:00Z',
      parents: { totalCount: 1 },
    };
    const repository = (inside: object) => ({
      data: { repository: { name: 'web', owner: { login: 'octo' }, ...inside } },
    });
    const branch = (target: object) => repository({ defaultBranchRef: { target } });
    platform.handler = ({ body }, answer) => {
      if (body.includes('query Commits('))
        return answer.json(200, branch({ history: { totalCount: 1, nodes: [commit] } }));
      if (body.includes('query Directories('))
        return answer.json(
          200,
          repository({
            object: {
              entries: [
                { name: 'a', type: 'tree' },
                { name: 'b', type: 'tree' },
              ],
            },
          }),
        );
      const paths = Object.entries(variablesOf(body)).filter(([key]) => key.startsWith('path'));
      if (paths.length > 1 || paths[0]?.[1] === 'b') return answer.json(504, {});
      answer.json(200, branch({ h0: { nodes: [{ oid: 'a1' }, { oid: 'of another branch' }] } }));
    };
    const read = await clientOf(platform.url).codehost.commits.directories(web, quarter, 300);
    expect([[...read.touched], read.known, read.undecided]).toEqual([[['a1', ['a']]], ['a', 'b'], true]);
  });
});
