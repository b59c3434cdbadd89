import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Platform } from '../../../server/codehost/changes/client.ts';
import { fixedClock } from '../../../server/platform/clock.ts';
import { aPullRequest } from '../../codehost-double/delivery-builders.ts';
import { type Double, startDouble } from '../../codehost-double/double.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import type { DoubleToken } from '../../codehost-double/world.ts';
import { clientOf, errorOf } from '../platform.ts';

const name = { owner: 'octo', repo: 'flow' };
const path = '.github/workflows/ci.yml';
const before = 'on: push\n# ö\n';
const after = 'on: push\r\n# ö 😀\n';
const branch = 'advisor/adv-05-0123abcd';

/** The id that git gives a text. */
const blobId = (text: string) =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');

let double: Double;

beforeAll(async () => {
  double = await startDouble({ clock: fixedClock(namedNow) });
});

beforeEach(() => {
  double.addRepository({ name: 'octo/flow', facts: { id: 90_901 }, files: new Map([[path, before]]) });
});

afterEach(() => {
  expect(double.violations).toEqual([]);
  double.reset();
});

afterAll(() => double.close());

const repository = () => double.world.repositories.find(({ facts }) => facts.repo === 'flow');
const writers: DoubleToken = {
  token: 'token-writes',
  login: 'ann',
  scopes: ['repo', 'workflow'],
  authorizedFor: [],
  only: null,
};

/** The platform with a token of ann that is given this. */
function platformWith(given: Partial<DoubleToken> = {}): Platform {
  double.world.tokens.push({ ...writers, ...given });
  return clientOf(double.url, { token: writers.token }).codehost;
}

const readBase = (platform: Platform) => platform.pullRequestBase(name, { branch, paths: [path] });

async function branched(platform: Platform): Promise<string> {
  const { headOid } = await readBase(platform);
  expect(await platform.createBranch(name, { branch, oid: headOid })).toBe('created');
  return headOid;
}

const commit = (platform: Platform, expectedHead: string) =>
  platform.commitFiles(name, {
    branch,
    expectedHead,
    headline: 'CI: set a time limit',
    body: 'One change.',
    files: [{ path, text: after }],
  });

const open = (platform: Platform) =>
  platform.openPullRequest(name, { title: 'CI', body: 'Why', head: branch, base: 'main', isDraft: true });

describe('a pull request', () => {
  test('is a branch, a commit of the caller and a request, found again by one read', async () => {
    const platform = platformWith();
    const first = await readBase(platform);
    expect(first).toMatchObject({
      defaultBranch: 'main',
      isArchived: false,
      mayPush: true,
      scopes: ['repo', 'workflow'],
      branch: null,
      pullRequest: null,
    });
    expect(first.files.get(path)).toEqual({ blobId: expect.stringMatching(/^[0-9a-f]{40}$/), text: before });
    await branched(platform);
    const empty = await readBase(platform);
    expect(empty.branch).toMatchObject({
      oid: first.headOid,
      blobIds: new Map([[path, first.files.get(path)?.blobId]]),
    });
    const oid = await commit(platform, first.headOid);
    const opened = await open(platform);
    expect(opened).toEqual({
      number: expect.any(Number),
      htmlUrl: expect.stringMatching(/\/octo\/flow\/pull\/\d+$/),
      createdAt: namedNow,
      isDraft: true,
    });
    const last = await readBase(platform);
    expect(last.branch).toMatchObject({ oid, parent: first.headOid, changedFiles: 1 });
    expect(last.branch?.blobIds.get(path)).not.toBe(first.files.get(path)?.blobId);
    expect(last.pullRequest).toEqual({
      ...(opened as object),
      title: 'CI',
      body: 'Why',
      headOid: oid,
      baseBranch: 'main',
    });
    expect(
      repository()
        ?.refs.find((one) => one.name === branch)
        ?.files?.get(path),
    ).toBe(after);
    expect(repository()?.pullRequests.at(-1)).toMatchObject({ title: 'CI', body: 'Why', author: { login: 'ann' } });
  });

  test('of which a part is there already says so, and makes no other', async () => {
    const platform = platformWith();
    const headOid = await branched(platform);
    expect(await platform.createBranch(name, { branch, oid: headOid })).toBe('exists');
    expect(await commit(platform, headOid)).toMatch(/^[0-9a-f]{40}$/);
    expect(await commit(platform, headOid)).toBeNull();
    expect(await open(platform)).toMatchObject({ isDraft: true });
    expect(await open(platform)).toBe('exists');
    expect(repository()?.pullRequests.length).toBe(1);
  });

  test('that is given up leaves no branch', async () => {
    const platform = platformWith();
    await branched(platform);
    await platform.deleteBranch(name, branch);
    expect((await readBase(platform)).branch).toBeNull();
  });
});

describe('a token that may not', () => {
  const denied = async (work: Promise<unknown>) => {
    const { code, details } = await errorOf(work);
    return { code, missing: details?.missing };
  };

  const finelyGrained = ['contents:write', 'pull_requests:write', 'workflows:write'];

  test.each([
    ['change workflow files, by its scopes', { scopes: ['repo'] }, ['workflow']],
    ['change workflow files, fine-grained', { scopes: null, lacks: ['workflows'] }, finelyGrained],
  ] as const)('%s is refused at the commit', async (_title, given, missing) => {
    const platform = platformWith(given as Partial<DoubleToken>);
    const headOid = await branched(platform);
    expect(await denied(commit(platform, headOid))).toEqual({ code: 'missing_permission', missing });
    expect(repository()?.refs.find((one) => one.name === branch)?.files).toBeUndefined();
  });

  test('write contents is refused at the branch', async () => {
    const platform = platformWith({ scopes: null, lacks: ['contents'] });
    const { headOid, scopes } = await readBase(platform);
    expect(scopes).toBeNull();
    const refused = await denied(platform.createBranch(name, { branch, oid: headOid }));
    expect(refused).toEqual({ code: 'missing_permission', missing: finelyGrained });
    expect((await readBase(platform)).branch).toBeNull();
  });

  test('open pull requests is refused at the last step', async () => {
    const platform = platformWith({ scopes: null, lacks: ['pull_requests'] });
    await commit(platform, await branched(platform));
    expect(await denied(open(platform))).toEqual({ code: 'missing_permission', missing: finelyGrained });
  });

  test('is told how to be given it, in the words of its kind', async () => {
    const classic = await errorOf(refusedCommit(refusing('OAuth App', '`workflow` scope')));
    expect(classic.details?.how).toBe('Give the token the scope workflow, or download the patch.');
    const app = await errorOf(refusedCommit(refusing('GitHub App', '`workflows` permission')));
    expect(app.details).toMatchObject({ missing: finelyGrained, how: expect.not.stringContaining('scope') });
  });

  test('show any scope has none, which is not unknown', async () => {
    const { scopes } = await readBase(platformWith({ scopes: [] }));
    expect(scopes).toEqual([]);
  });

  test('push is told before anything is written', async () => {
    const platform = platformWith({ login: 'nobody' });
    double.setVisibility('octo/flow', 'public');
    expect((await readBase(platform)).mayPush).toBe(false);
  });
});

/** What the platform says of a workflow file, whose name may be anything. */
const refusing = (who: string, lacks: string, file = 'ci.yml') =>
  `refusing to allow a${/^[AO]/.test(who) ? 'n' : ''} ${who} to create or update workflow \`.github/workflows/${file}\` without ${lacks}`;

async function refusedCommit(message: string, type = 'FORBIDDEN') {
  const platform = platformWith();
  const headOid = (await readBase(platform)).branch?.oid ?? (await branched(platform));
  double.fault({ path: '/graphql' }, { kind: 'failing_field', field: 'Mutation.createCommitOnBranch', type, message });
  return commit(platform, headOid);
}

describe('a denial', () => {
  test.each([
    [refusing('OAuth App', '`workflow` scope', 'protected.yml'), 'FORBIDDEN', 'missing_permission'],
    [
      refusing('Personal Access Token', '`workflow` scope', 'archived rule violations.yml'),
      'FORBIDDEN',
      'missing_permission',
    ],
    ['You may not change .github/workflows/ci.yml on protected.', 'FORBIDDEN', 'upstream_forbidden'],
    ['No such branch: workflow-protected.', 'NOT_FOUND', 'not_found'],
    ['Repository was archived so is read-only.', 'UNPROCESSABLE', 'archived'],
    ['Changes must be made through a pull request.', 'UNPROCESSABLE', 'branch_refused'],
    ['A file is too large.', 'UNPROCESSABLE', 'upstream_rejected'],
    ['Something else.', 'INTERNAL', 'upstream_unavailable'],
    ['Something went wrong while executing your query.', 'UNPROCESSABLE', 'upstream_unavailable'],
  ])('of a commit, "%s", is told by how it begins', async (message, type, code) => {
    expect((await errorOf(refusedCommit(message, type))).code).toBe(code);
  });

  test.each([
    [403, 'You may not do this to protected, which is archived.', 'upstream_forbidden'],
    [404, 'Not Found', 'not_found'],
    [403, 'Repository was archived so is read-only.', 'archived'],
    [422, 'Protected branch rules do not allow this.', 'branch_refused'],
  ])('of a branch or a pull request, %i "%s", likewise', async (status, message, code) => {
    const platform = platformWith();
    double.fault({ method: 'POST', path: /\/(git\/refs|pulls)$/, times: 2 }, { kind: 'status', status, message });
    const refused = [
      await errorOf(platform.createBranch(name, { branch, oid: 'a'.repeat(40) })),
      await errorOf(open(platform)),
    ];
    expect(refused.map((one) => one.code)).toEqual([code, code]);
  });

  test('of what was sent names its fields', async () => {
    const platform = platformWith();
    double.fault({ method: 'POST', path: /\/pulls$/ }, { kind: 'invalid', fields: ['base'] });
    expect(await errorOf(open(platform))).toMatchObject({
      code: 'upstream_rejected',
      details: { upstream_status: 422, upstream_fields: ['base'] },
    });
  });
});

describe('a branch of the same name', () => {
  test('in a fork is not ours', async () => {
    const platform = platformWith();
    const numbers = Array.from({ length: 30 }, (_, index) => index + 1);
    const inForks = numbers.map((number) => aPullRequest(namedNow, { number, headBranch: branch, isFromFork: true }));
    repository()?.pullRequests.push(...inForks);
    expect((await readBase(platform)).pullRequest).toBeNull();
    await commit(platform, await branched(platform));
    const opened = await open(platform);
    expect(opened).toMatchObject({ number: 31 });
    expect((await readBase(platform)).pullRequest).toMatchObject({ number: 31 });
  });

  test('is no tag', async () => {
    const platform = platformWith();
    const { headOid } = await readBase(platform);
    repository()?.refs.push({ kind: 'tags', name: branch, commits: [headOid], files: new Map([[path, 'a tag']]) });
    await commit(platform, await branched(platform));
    const files = (await readBase(platform)).branch?.blobIds;
    expect(files?.get(path)).toBe(blobId(after));
  });
});

test('an organization that requires single sign-on is no missing permission', async () => {
  const platform = platformWith();
  const headOid = await branched(platform);
  const message = 'Resource protected by organization SAML enforcement.';
  double.fault(
    { path: '/graphql' },
    { kind: 'failing_field', field: 'Mutation.createCommitOnBranch', type: 'FORBIDDEN', message },
  );
  expect((await errorOf(commit(platform, headOid))).code).toBe('sso_required');
});

describe('rules of a repository', () => {
  test('that refuse the branch or the commit are told in its own words', async () => {
    const platform = platformWith();
    const one = repository();
    if (!one) throw new Error('no repository');
    one.branchRule = 'Branch name must match release/*.';
    const { headOid } = await readBase(platform);
    const refused = await errorOf(platform.createBranch(name, { branch, oid: headOid }));
    expect([refused.code, refused.message]).toEqual([
      'branch_refused',
      'A rule of the repository refuses the branch: Repository rule violations found Branch name must match release/*.',
    ]);
    delete one.branchRule;
    one.commitRule = 'Commits must have verified signatures.';
    await branched(platform);
    expect((await errorOf(commit(platform, headOid))).code).toBe('branch_refused');
  });

  test('a write that is not answered is not sent again', async () => {
    const platform = platformWith();
    const headOid = await branched(platform);
    double.fault({ method: 'POST', path: '/graphql', times: 9 }, { kind: 'status', status: 502 });
    expect((await errorOf(commit(platform, headOid))).code).toBe('upstream_unavailable');
    expect(double.requests.filter(({ status }) => status === 502).length).toBe(1);
  });
});
