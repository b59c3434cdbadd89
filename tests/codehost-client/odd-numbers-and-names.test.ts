import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientOf, refusalOf, startPlatform, wireRepository, wireRun } from './platform.ts';

const web = { owner: 'octo', repo: 'web' };
const at = '2026-03-09T10:00:00Z';
let platform: Awaited<ReturnType<typeof startPlatform>>;
beforeEach(async () => {
  platform = await startPlatform(() => undefined);
});
afterEach(() => platform.close());

const answer = (body: unknown) => {
  platform.handler = (_seen, answerer) => answerer.json(200, body);
};
const client = () => clientOf(platform.url).codehost;

const wireWorkflow = (over: Record<string, unknown> = {}) => ({
  ...{ id: 5, name: 'CI', path: '.github/workflows/ci.yml', state: 'active', created_at: at, updated_at: at },
  ...{ html_url: 'https://example.test/ci', badge_url: 'https://example.test/ci.svg' },
  ...over,
});

describe('a number', () => {
  it.each([1.5, -1, 2 ** 53, 1e300, '9', null])('that counts a list and is %s takes no item away', async (odd) => {
    answer({ total_count: odd, workflows: [wireWorkflow()] });
    const { items, totalCount, partial } = await client().workflows.list(web);
    expect([items.length, totalCount, partial]).toEqual([1, null, false]);
  });

  it('that is the whole answer is not made up where it cannot be read', async () => {
    answer({ total_count: 2 ** 53, workflow_runs: [] });
    const { details } = await refusalOf(client().runs.countSince(web, 0));
    expect(details).toMatchObject({ upstream_operation: 'count runs', upstream_fields: ['total_count'] });
  });

  it.each([
    ['run_attempt', 2 ** 31],
    ['run_number', 2 ** 32],
    ['id', 1.5],
  ])('of a run that nothing can be counted or kept by leaves it out: %s %s', async (field, value) => {
    answer({ total_count: 2, workflow_runs: [wireRun(), wireRun({ id: 101, [field]: value })] });
    const { items, partialReason } = await client().runs.ofWorkflow(web, 5, 10);
    expect(items.map(({ id }) => id)).toEqual([100]);
    expect(partialReason).toContain(`${field} could not be read`);
  });
});

describe('a name that cannot be asked for', () => {
  const odd = { name: 'a b', owner: { login: 'octo', type: 'User' } };

  it('is not taken for the new name of a repository', async () => {
    answer(wireRepository(odd));
    const codehost = client();
    expect(await codehost.repositories.get(web)).toMatchObject(web);
    expect(codehost.repositories.canonical(web)).toBeNull();
  });

  it('takes the commits of no other repository away', async () => {
    answer({ data: { r0: { ...web, name: 'web', owner: { login: 'octo' }, defaultBranchRef: null } } });
    const read = await client().commits.historiesBy([{ owner: 'octo', repo: 'a b' }, web], 'U_1', 0);
    expect(read).toMatchObject({ items: [], partial: true });
    expect(JSON.parse(platform.requests[0]?.body ?? '').variables).toMatchObject({ owner0: 'octo', name0: 'web' });
  });
});

describe('where a directory is looked for', () => {
  it('something of another kind is none', async () => {
    const elsewhere = { actionYml: {}, actionYaml: { oid: 'a' }, updatesYml: null, updatesYaml: null };
    answer({ data: { repository: { name: 'web', owner: { login: 'octo' }, workflows: {}, ...elsewhere } } });
    expect(await client().workflowFiles(web)).toMatchObject({
      ...{ files: [], partial: false, visibility: 'private', actionFile: 'action.yaml', updatesFile: null },
    });
  });
});

describe('a bill', () => {
  it('without a list is one of nothing', async () => {
    answer({});
    const usage = await client().billing.summary({ kind: 'org', login: 'octo' }, { year: 2026, month: 3 });
    expect(usage).toMatchObject({ items: [], partialReason: undefined });
  });
});
