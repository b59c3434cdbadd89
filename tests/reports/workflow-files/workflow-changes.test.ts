import { beforeEach, describe, expect, test } from 'vitest';
import { expectProblem, freshService } from '../../api/endpoints.ts';
import type { DoubleCommit, DoubleFile } from '../../codehost-double/delivery.ts';
import { aCommit, aFile, anActor } from '../../codehost-double/delivery-builders.ts';

const visit = freshService();
const path = (repo: string, more = '') => `/api/codehost/audit-log?owner=octo&repo=${repo}${more}`;
const ask = (repo: string, more = '', as = 'token-ann') => visit.service.ask('GET', path(repo, more), { as });
const now = () => visit.service.clock.now();
const hour = 3_600_000;
const day = 24 * hour;
const file = (name: string) => aFile(`.github/workflows/${name}`);
const gone = (name: string): DoubleFile => ({ ...file(name), removed: true });

/** A commit of ann's to octo/api, so many days ago. */
function put(days: number, message: string, files: DoubleFile[], parts: Partial<DoubleCommit> = {}) {
  const commit = aCommit(now() - days * day, anActor('ann'), message, { files, ...parts });
  visit.service.double.addCommit('octo/api', commit);
  return commit;
}

/** The first commit, in which everything was there already. */
beforeEach(() => void put(1000, 'First', [aFile('src/a.ts')]));

const messages = (body: { message: string }[]) => body.map(({ message }) => message);

describe('changes of workflow files', () => {
  test('have every field of the contract', async () => {
    const { sha } = put(3, 'Run the tests twice\n\nThey are flaky.', [file('ci.yml'), aFile('src/a.ts')], {
      committer: anActor('web-flow'),
      signature: 'VALID',
      authoredAt: now() - 5 * day,
    });
    visit.service.double.putPullRequest('octo/api', { number: 77, mergedAt: now() - 3 * day, mergeSha: sha });
    const { status, body, headers } = await ask('api');
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        sha,
        message: 'Run the tests twice',
        html_url: `https://codehost.example/octo/api/commit/${sha}`,
        author_login: 'ann',
        author_name: 'ann',
        author_avatar: 'https://avatars.codehost.example/ann',
        is_bot: false,
        committer_login: 'web-flow',
        date: '2026-11-11T10:00:00.000Z',
        committed_at: '2026-11-13T10:00:00.000Z',
        verified: true,
        via_pr: 77,
        file_path: '.github/workflows/ci.yml',
        file_paths: ['.github/workflows/ci.yml'],
        changes: [{ path: '.github/workflows/ci.yml', change: 'modified' }],
      },
    ]);
    expect([headers.get('x-partial'), headers.get('x-total-count')]).toEqual(['false', '1']);
    expect(visit.service.double.violations).toEqual([]);
  });

  test('tell of files that are gone and of renamed ones', async () => {
    put(9, 'Deploy', [file('deploy.yml')]);
    put(8, 'Call it release', [gone('deploy.yml'), file('release.yaml')]);
    put(7, 'No release', [gone('release.yaml')]);
    const { body } = await ask('api');
    expect(messages(body)).toEqual(['No release', 'Call it release', 'Deploy']);
    expect(body.map(({ changes }: { changes: unknown }) => changes)).toEqual([
      [{ path: '.github/workflows/release.yaml', change: 'removed' }],
      [
        { path: '.github/workflows/deploy.yml', change: 'removed' },
        { path: '.github/workflows/release.yaml', change: 'added' },
      ],
      [{ path: '.github/workflows/deploy.yml', change: 'added' }],
    ]);
  });

  test('are sorted by the time of committing: an author can write any date', async () => {
    put(5, 'Older', [file('ci.yml')], { authoredAt: now() - hour });
    put(2, 'Newer', [file('ci.yml')], { authoredAt: now() - 900 * day });
    expect(messages((await ask('api')).body)).toEqual(['Newer', 'Older']);
  });

  test('leave out what lies beside the workflows, and files of other places', async () => {
    put(6, 'Words', [file('README.md')]);
    put(5, 'A script', [file('check.sh')]);
    put(4, 'Capital', [file('ci.YML')]);
    put(3, 'Deep', [file('old/ci.yml')]);
    put(2, 'Not here', [aFile('ci.yml')]);
    put(1, 'Both', [file('README.md'), file('ci.yml')]);
    const { body } = await ask('api');
    expect(messages(body)).toEqual(['Both']);
    expect(body[0].file_paths).toEqual(['.github/workflows/ci.yml']);
  });

  test('have a merge only where it changed something itself', async () => {
    put(5, 'Theirs', [file('ci.yml')]);
    put(4, 'Merge', [aFile('src/a.ts')], { parents: 2 });
    put(3, 'Merge and mend', [file('ci.yml')], { parents: 2 });
    expect(messages((await ask('api')).body)).toEqual(['Merge and mend', 'Theirs']);
  });

  test('do not tell the files of a merge of more sides than are requested', async () => {
    for (const back of [9, 8, 7, 6]) put(back, `Side ${back}`, [aFile('src/a.ts')]);
    put(3, 'Merge of three', [file('ci.yml')], { parents: 3 });
    put(2, 'Merge of four', [file('ci.yml')], { parents: 4 });
    const { body } = await ask('api');
    expect(body).toMatchObject([
      { message: 'Merge of four', file_paths: [], changes: null },
      { message: 'Merge of three', changes: [{ path: '.github/workflows/ci.yml', change: 'modified' }] },
    ]);
  });

  test('mark bots, and name who has no account by what git knows', async () => {
    put(4, 'Raise an action', [file('ci.yml')], { author: anActor('dependabot[bot]'), authorName: 'dependabot[bot]' });
    put(3, 'By mail', [file('ci.yml')], { author: null, authorName: 'Kim <kim@mail.codehost.example>' });
    const { body, text } = await ask('api');
    expect(
      body.map(({ author_login, author_name, is_bot }: Record<string, unknown>) => [author_login, author_name, is_bot]),
    ).toEqual([
      [null, 'Kim', false],
      ['dependabot', 'dependabot[bot]', true],
    ]);
    expect(text).not.toContain('@mail');
  });

  const signatures: [DoubleCommit['signature'], boolean | null][] = [
    ['VALID', true],
    ['INVALID', false],
    ['UNKNOWN_KEY', false],
    ['GPGVERIFY_UNAVAILABLE', null],
    [undefined, false],
  ];

  test.each(signatures)('signature %s: %s', async (signature, expected) => {
    put(1, 'Signed', [file('ci.yml')], signature ? { signature } : {});
    expect((await ask('api')).body[0].verified).toBe(expected);
  });

  test('are a table', async () => {
    put(1, '=cmd()', [file('ci.yml')]);
    const { text } = await ask('api', '&format=csv');
    expect(text.split('\r\n')).toHaveLength(3);
    expect(text).toContain("'=cmd()");
  });
});

describe('how many are reported', () => {
  const many = (count: number) => {
    for (let back = 1; back <= count; back++) put(back, `Change ${back}`, [file(back % 2 ? 'ci.yml' : 'b.yml')]);
  };

  test('as many as were asked for; how many there are is not said then', async () => {
    many(45);
    const { body, headers } = await ask('api');
    expect(body).toHaveLength(30);
    expect([headers.get('x-total-count'), headers.get('x-partial')]).toEqual([null, 'false']);
    const more = await ask('api', '&limit=500');
    expect(more.body).toHaveLength(45);
    expect([more.headers.get('x-total-count'), more.headers.get('x-effective-limit')]).toEqual(['45', '100']);
  });

  test('in one request, stored for five minutes', async () => {
    many(45);
    await visit.service.signIn('token-ann');
    const { requests } = visit.service.double;
    requests.length = 0;
    await ask('api');
    expect(requests.map(({ operation, cost }) => [operation, cost])).toEqual([['WorkflowChanges', 1]]);
    visit.service.clock.advance(5 * 60_000 - 1);
    await ask('api');
    expect(requests).toHaveLength(1);
    visit.service.clock.advance(1);
    await ask('api');
    expect(requests).toHaveLength(2);
  });

  test('beyond many that are excluded', async () => {
    for (let back = 1; back <= 60; back++) put(back, `Words ${back}`, [file('README.md')]);
    for (let back = 61; back <= 65; back++) put(back, `Change ${back}`, [file('ci.yml')]);
    const { body, headers } = await ask('api', '&limit=5');
    expect(messages(body)).toEqual([61, 62, 63, 64, 65].map((back) => `Change ${back}`));
    expect(headers.get('x-partial')).toBe('false');
  });

  test('not beyond five pages of commits, which is said', async () => {
    for (let back = 1; back <= 201; back++) put(back, `Words ${back}`, [file('README.md')]);
    put(400, 'Long ago', [file('ci.yml')]);
    const { body, headers } = await ask('api');
    expect([body, headers.get('x-partial'), headers.get('x-total-count')]).toEqual([[], 'true', null]);
  });

  test('none of a repository without the directory, and of an empty one', async () => {
    expect((await ask('no-actions')).body).toEqual([]);
    expect((await ask('empty')).body).toEqual([]);
  });
});

describe('an error', () => {
  test('of a repository that the caller cannot see', async () => {
    expectProblem(await ask('secret', '', 'token-bo'), 404, 'not_found');
  });

  test('without signing in', async () => {
    expectProblem(await visit.service.ask('GET', path('api')), 401, 'unauthenticated');
  });

  test('of the platform is an error, not an empty list', async () => {
    visit.service.double.fault({ path: '/graphql', times: 9 }, { kind: 'graphql_error', type: 'FORBIDDEN' });
    expectProblem(await ask('api'), 403, 'upstream_forbidden');
  });

  test('an outage shows what was read before, marked as old', async () => {
    put(1, 'Before', [file('ci.yml')]);
    await ask('api');
    visit.service.clock.advance(6 * 60_000);
    visit.service.double.fault({ path: '/graphql', times: 9 }, { kind: 'status', status: 502 });
    const { body, headers } = await ask('api');
    expect([messages(body), headers.get('x-stale')]).toEqual([['Before'], 'true']);
  });
});

test('files are unknown, not none, where the platform does not tell the directory', async () => {
  put(1, 'Hidden', [file('ci.yml')]);
  visit.service.double.fault(
    { path: '/graphql', times: 9 },
    { kind: 'nested_graphql', field: 'object', type: 'FORBIDDEN' },
  );
  const { body, headers } = await ask('api');
  expect(body).toMatchObject([{ message: 'Hidden', file_path: null, file_paths: [], changes: null }]);
  expect(headers.get('x-partial')).toBe('true');
});

test('a renamed repository gives its changes under its old name', async () => {
  const commit = aCommit(now() - hour, anActor('ann'), 'After', { files: [file('ci.yml')] });
  visit.service.double.addCommit('octo/renamed-now', commit);
  const { body, headers } = await ask('before');
  expect([messages(body), headers.get('x-canonical-repo')]).toEqual([['After'], 'octo/renamed-now']);
});
