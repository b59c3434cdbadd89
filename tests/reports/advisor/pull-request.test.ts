import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectFields, expectProblem, freshService } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { refsOf } from '../../codehost-double/refs.ts';
import { aDatabase } from '../../support/a-database.ts';
import { eachDatabase } from '../../support/database.ts';
import type { Service } from '../../support/service.ts';
import { storeAdvised, workflowText } from './advised-world.ts';
import { addAdvised, bearer, file, opens, preview, steps, writer, written } from './opened-pull-requests.ts';

const minute = 60_000;

/** Pull requests that the audit log says were opened, and by whom; empty without a database. */
async function audited({ app }: Service): Promise<unknown[]> {
  const of = { limit: 10, before: null, categories: ['advisor' as const], actor: null, action: null };
  const entries = await app.services.store?.audit.list(of);
  return (entries ?? []).map(({ actor, target }) => [actor?.login, target]);
}

/** Another person who may change octo/advised. */
function addCollaborator({ double }: Service): void {
  double.world.tokens.push({ ...writer, token: 'token-other', login: 'bo' });
  double.world.repositories.find(({ facts }) => facts.repo === 'advised')?.collaborators.push('bo');
}

eachDatabase((database) => {
  const visit = storedService(database);
  beforeAll(async () => {
    visit.service.double.world.tokens.push(writer);
    await storeAdvised(visit.service);
  });

  test('a pull request is opened in the caller’s name, with evidence and prediction, in four requests', async () => {
    const { service } = visit;
    const shown = await preview(service);
    service.double.requests.length = 0;
    const answer = await opens(service)({ ...shown, note: 'Please look, @team.', draft: true });
    const { branches, pullRequests } = written(service);
    const [{ name, text } = { name: '', text: '' }] = branches;
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        ok: true,
        number: pullRequests[0]?.number,
        html_url: expect.stringMatching(/\/octo\/advised\/pull\/\d+$/),
        title: 'CI: cancel superseded runs',
        branch: name,
        base: 'main',
        commit: expect.stringMatching(/^[0-9a-f]{40}$/),
        ids: shown.ids,
        draft: true,
        created_at: new Date(service.clock.now()).toISOString(),
        deduplicated: false,
      },
    ]);
    expect(name).toMatch(/^advisor\/adv-01-[0-9a-f]{8}$/);
    expect(text).toContain('  cancel-in-progress: true\n');
    expect(steps(service)).toEqual(['read', 'branch', 'commit', 'pull request']);
    expect(pullRequests).toMatchObject([{ title: 'CI: cancel superseded runs', headBranch: name, author: 'ann' }]);
    const body = pullRequests[0]?.body ?? '';
    expect(body).toMatch(/^Please look, @team\.\n\n## What changes\n/);
    expect(body).toContain('6 of 36 pull-request runs were replaced by a newer one before they ended.');
    expect(body).toContain(`http://localhost:3000/repos/octo/advised/advisor/${shown.ids[0]}`);
    expect(body).toMatch(/\| Cancel superseded runs \| \d+–\d+ % fewer \| \d+–\d+ fewer \|/);
    expect(body).toContain('Replay checked: 306 recorded minutes reproduced exactly');
    expect(body).toContain('\n## Undo\n\nRevert this pull request.');
    expect(body).toMatch(/<!-- delivery-analytics operation [\w-]{36} -->$/);
    expect(body).not.toMatch(/USD|\$/);
    // Neither whoever caused a run, nor whoever opens it.
    expect(body).not.toMatch(/\b(ann|mona|bo)\b|token-/);
    expect(service.double.violations).toEqual([]);
  });

  test('its recommendation says so, and the audit log who opened it', async () => {
    const { service } = visit;
    const path = '/api/advisor/recommendations?owner=octo&repo=advised&kind=ADV-01';
    const { body } = await service.ask('GET', path, { as: 'token-bo' });
    const [{ number = 0 } = {}] = written(service).pullRequests;
    expect(body.recommendations).toMatchObject([
      {
        state: 'in_pull_request',
        pull_request: {
          number,
          html_url: expect.stringContaining(`/pull/${number}`),
          state: 'open',
          opened_at: expect.any(String),
          merged_at: null,
        },
      },
    ]);
    const entries = await service.app.services.store?.audit.list({
      limit: 10,
      before: null,
      categories: ['advisor'],
      actor: null,
      action: null,
    });
    expect(entries).toMatchObject([
      {
        action: 'advisor.pull_request_opened',
        actor: { login: 'ann' },
        target: `octo/advised#${number}`,
        after: { repo: 'octo/advised', number, ids: [body.recommendations[0].id] },
        note: null,
      },
    ]);
  });

  test('a repeated request gets the same: by its key, or as a duplicate', async () => {
    const { service } = visit;
    const open = opens(service);
    const shown = await preview(service, writer.token, 'advised', 3);
    const wish = { ...shown, title: ' Faster CI ' };
    const first = await open({ ...wish, key: 'key-00000001' }, { from: '10.0.6.2' });
    expect([first.status, first.body.title]).toEqual([201, 'Faster CI']);
    expect(first.body.branch).toMatch(/^advisor\/3-changes-[0-9a-f]{8}$/);
    service.double.requests.length = 0;
    const again = await open({ ...wish, key: 'key-00000001' }, { from: '10.0.6.2' });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expectProblem(await open({ ...wish, note: 'x', key: 'key-00000001' }), 409, 'idempotency_conflict');
    const without = await open(wish);
    expect([without.status, without.body]).toEqual([200, { ...first.body, deduplicated: true }]);
    const reversed = await open({ ...wish, ids: shown.ids.toReversed() });
    expect([reversed.status, reversed.body.number]).toEqual([200, first.body.number]);
    expect(steps(service).filter((step) => !step.startsWith('GET'))).toEqual([]);
    // After a quarter of an hour, or for somebody else, the platform says that it is open.
    service.clock.advance(15 * minute);
    const later = await open({ ...wish, key: 'key-00000002' }, { from: '10.0.6.3' });
    expect([later.status, later.body]).toEqual([200, { ...first.body, deduplicated: true }]);
    addCollaborator(service);
    const other = await open(wish, { as: 'token-other', from: '10.0.6.3' });
    expect([other.status, other.body.number]).toEqual([200, first.body.number]);
    expect(written(service).pullRequests.filter(({ title }) => title === 'Faster CI')).toHaveLength(1);
  });

  test('none of the rows and log lines has a token', async () => {
    const rows = await visit.service.app.services.store?.queue.executeSql('select * from advisor_pull_requests');
    const text = JSON.stringify(rows);
    expect(text).toContain('"user_login":"ann"');
    expect(text).not.toContain('token-writer');
    expect(text).not.toContain('shellcheck');
    expect(text).not.toContain('Please look');
  });
});

/** Without a database, and with one. */
function eachStorage(suite: (visit: { service: Service }) => void) {
  describe('without a database', () => suite(freshService()));
  aDatabase((database) => {
    const visit = storedService(database);
    beforeEach(visit.anew);
    suite(visit);
  });
}

eachStorage((visit) => {
  const open = (wish: object, options = {}) => opens(visit.service)({ ...wish }, options);
  const shown = async (given: Partial<typeof writer> = {}, most = 1) => {
    addAdvised(visit.service);
    Object.assign(writerOf(), given);
    const found = await preview(visit.service, writer.token, 'advised', most);
    visit.service.double.requests.length = 0;
    return found;
  };
  const writerOf = () => {
    const { tokens } = visit.service.double.world;
    const own = { ...writer };
    tokens.splice(tokens.indexOf(writer), 1, own);
    return own;
  };
  const one = () => {
    const { branches, pullRequests } = written(visit.service);
    expect(branches).toMatchObject([{ text: expect.stringContaining('permissions:') }]);
    expect(pullRequests).toHaveLength(1);
    return pullRequests[0]?.number;
  };
  const nothing = () => expect(written(visit.service)).toEqual({ branches: [], pullRequests: [] });

  test('two presses of a button open one (T31)', async () => {
    const wish = { ...(await shown()), key: 'key-00000001' };
    const answers = await Promise.all([open(wish), open(wish)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers.map(({ body }) => body.number)).toEqual([one(), one()]);
  });

  test('of several people and keys at once, one is opened', async () => {
    const wish = await shown();
    addCollaborator(visit.service);
    const answers = await Promise.all([
      open({ ...wish, key: 'key-00000001' }),
      open({ ...wish, key: 'key-00000002' }),
      open(wish, { as: 'token-other', from: '10.0.6.2' }),
    ]);
    const number = one();
    for (const answer of answers)
      if (answer.status === 409) expectProblem(answer, 409, 'in_progress');
      else expect(answer.body.number).toBe(number);
    expect((await open({ ...wish, key: 'key-00000002' }, { from: '10.0.6.3' })).body.number).toBe(number);
    one();
  });

  test('a file that has changed is shown anew, and nothing is written (T29)', async () => {
    const { service } = visit;
    const wish = await shown();
    service.double.putWorkflowFile('octo/advised', file, workflowText.replace('shellcheck', 'shfmt -d'));
    const answer = await open({ ...wish, key: 'key-00000001' });
    expectProblem(answer, 409, 'file_changed');
    const { files, still_found: ids } = answer.body.details;
    expect(ids).toEqual(wish.ids);
    expect(files).toMatchObject([{ path: file, diff: expect.stringContaining('+permissions:') }]);
    expect(steps(service).filter((step) => !step.startsWith('GET'))).toEqual(['read', 'graphql']);
    nothing();
    const { path, base_blob, new_blob } = files[0];
    const blobs = { base_blobs: { [path]: base_blob }, resulting_blobs: { [path]: new_blob } };
    expect(await preview(service)).toEqual({ ids, ...blobs });
    expect((await open({ ids, ...blobs, key: 'key-00000001' }, { from: '10.0.6.2' })).status).toBe(201);
    one();
  });

  test('a change that came out otherwise is shown anew, though the file is the same', async () => {
    const wish = await shown();
    const answer = await open({ ...wish, resulting_blobs: { [file]: 'a'.repeat(40) } });
    expectProblem(answer, 409, 'file_changed');
    expect(answer.body.details).toMatchObject({
      files: [{ path: file, base_blob: wish.base_blobs[file], new_blob: wish.resulting_blobs[file] }],
      still_found: wish.ids,
    });
    const more = { ...wish.resulting_blobs, '.github/workflows/other.yml': 'a'.repeat(40) };
    expectProblem(await open({ ...wish, resulting_blobs: more }), 409, 'file_changed');
    nothing();
    const { resulting_blobs, ...unseen } = wish;
    expect((await open(unseen)).status).toBe(201);
    one();
  });

  test('a recommendation that this process does not know yet has the branch that it has everywhere', async () => {
    const { service } = visit;
    const wish = await shown();
    service.double.putWorkflowFile('octo/advised', file, `permissions: {}\n${workflowText}`);
    expectProblem(await open(wish), 409, 'file_changed');
    service.double.putWorkflowFile('octo/advised', file, workflowText);
    const answer = await open(wish, { from: '10.0.6.2' });
    expect([answer.status, answer.body.branch]).toEqual([
      201,
      expect.stringMatching(/^advisor\/adv-\d\d-[0-9a-f]{8}$/),
    ]);
    one();
  });

  test('a text that is not all of the file is not written back', async () => {
    const wish = await shown();
    const bytes = Buffer.from(`# caf\u00e9\n${workflowText}`, 'latin1');
    visit.service.double.putWorkflowFile('octo/advised', file, { bytes });
    const answer = await open(wish);
    expectProblem(answer, 409, 'file_changed');
    expect(answer.body.details).toMatchObject({ files: [], still_found: [] });
    nothing();
  });

  test('a change that the file does not need any more is not found in it', async () => {
    const wish = await shown();
    visit.service.double.putWorkflowFile('octo/advised', file, `permissions: {}\n${workflowText}`);
    const answer = await open(wish);
    expectProblem(answer, 409, 'file_changed');
    expect(answer.body.details.still_found).toEqual([]);
    nothing();
  });

  describe('a token that may not', () => {
    const finelyGrained = ['contents:write', 'pull_requests:write', 'workflows:write'];

    test.each([
      [{ scopes: ['repo'] }, ['workflow']],
      [{ scopes: ['workflow'] }, ['repo']],
      [{ scopes: [] }, ['repo', 'workflow']],
    ])('by its scopes, %j, is told so before anything is written (T30)', async (given, missing) => {
      const answer = await open(await shown(given));
      expectProblem(answer, 403, 'missing_permission');
      expect(answer.body.details).toMatchObject({ missing, how: expect.stringContaining('the scope') });
      expect(steps(visit.service).at(-1)).toBe('read');
      nothing();
    });

    test.each([
      ['contents', ['read', 'branch']],
      ['workflows', ['read', 'branch', 'commit', 'read', 'clean-up']],
    ] as const)('write %s, fine-grained, leaves nothing', async (lack, expected) => {
      const answer = await open(await shown({ scopes: null, lacks: [lack] }));
      expectProblem(answer, 403, 'missing_permission');
      expect(answer.body.details.missing).toEqual(finelyGrained);
      expect(steps(visit.service).slice(-expected.length)).toEqual(expected);
      nothing();
    });

    test('write at all, which the platform answers with 404, is told the same', async () => {
      const wish = await shown({ scopes: null });
      const path = '/repos/octo/advised/git/refs';
      visit.service.double.fault({ method: 'POST', path }, { kind: 'status', status: 404, message: 'Not Found' });
      const answer = await open(wish);
      expectProblem(answer, 403, 'missing_permission');
      expect(answer.body.details.missing).toEqual(finelyGrained);
      nothing();
    });

    test('open pull requests keeps its branch, which the next one goes on with', async () => {
      const wish = await shown({ scopes: null, lacks: ['pull_requests'] });
      const answer = await open(wish);
      expectProblem(answer, 403, 'missing_permission');
      const [{ name } = { name: '' }] = written(visit.service).branches;
      expect(answer.body.details).toMatchObject({ branch: name, branch_url: expect.stringContaining(`/tree/${name}`) });
      Object.assign(visit.service.double.world.tokens.find(({ token }) => token === writer.token) ?? {}, { lacks: [] });
      visit.service.double.requests.length = 0;
      expect((await open(wish)).status).toBe(201);
      expect(steps(visit.service).filter((step) => !step.startsWith('GET'))).toEqual(['read', 'pull request']);
      one();
    });

    test('push is told so', async () => {
      const wish = await shown();
      visit.service.double.setVisibility('octo/advised', 'public');
      visit.service.double.world.accounts.push({ id: 990, login: 'cy', name: null, email: null, memberOf: [] });
      visit.service.double.world.tokens.push({ ...writer, token: 'token-cy', login: 'cy' });
      const answer = await open(wish, { as: 'token-cy' });
      expectProblem(answer, 403, 'missing_permission');
      expect(answer.body.details.missing).toEqual(['push']);
      nothing();
    });
  });

  describe('a repository', () => {
    const inRepository = () => {
      const found = visit.service.double.world.repositories.find(({ facts }) => facts.repo === 'advised');
      if (!found) throw new Error('no repository');
      return found;
    };

    test('that is archived takes none', async () => {
      const wish = await shown();
      inRepository().facts.archived = true;
      expectProblem(await open(wish), 409, 'archived');
      nothing();
    });

    test('whose rules refuse the branch, or the commit, says why, and no branch is left', async () => {
      const wish = await shown();
      inRepository().branchRule = 'Branch name must match release/*.';
      const answer = await open(wish);
      expectProblem(answer, 409, 'branch_refused');
      expect(answer.body.error).toContain('Branch name must match release/*.');
      delete inRepository().branchRule;
      inRepository().commitRule = 'Commits must have verified signatures.';
      expectProblem(await open(wish), 409, 'branch_refused');
      nothing();
    });

    test('that refuses the commit keeps a branch that somebody else made', async () => {
      const wish = await shown();
      const place = `owner=octo&repo=advised&ids=${wish.ids.join()}`;
      const patch = await visit.service.ask('GET', `/api/advisor/patch?${place}`, { as: writer.token });
      const name = patch.body.pull_request.branch;
      const repository = inRepository();
      const head = refsOf(repository)[0]?.commits[0] ?? '';
      repository.refs.push({ kind: 'heads', name, commits: [head] });
      repository.commitRule = 'Commits must have verified signatures.';
      expectProblem(await open(wish), 409, 'branch_refused');
      expect(written(visit.service).branches).toEqual([{ name, text: null }]);
    });

    test('whose branch moves before the commit opens nothing', async () => {
      const wish = await shown();
      const field = 'Mutation.createCommitOnBranch';
      visit.service.double.fault({ path: '/graphql', after: 1 }, { kind: 'failing_field', field, type: 'STALE_DATA' });
      const answer = await open(wish);
      expectProblem(answer, 409, 'file_changed');
      expect(answer.body.error).toContain('has moved meanwhile');
      expect(answer.body.details.still_found).toEqual(wish.ids);
      expect(written(visit.service).pullRequests).toEqual([]);
    });

    test('with another branch of that name gets the next one', async () => {
      const wish = await shown();
      const first = await open(wish);
      const { refs, pullRequests } = inRepository();
      const [ref] = refs;
      if (!ref) throw new Error('no branch');
      pullRequests.length = 0;
      ref.commits = ['f'.repeat(40), ...ref.commits];
      visit.service.clock.advance(16 * minute);
      const second = await open(wish);
      expect([second.status, second.body.branch]).toEqual([201, `${first.body.branch}-2`]);
      expect(ref.commits[0]).toBe('f'.repeat(40));
    });

    test('that is not seen is not found, nor is a recommendation that it does not have', async () => {
      const wish = await shown();
      expectProblem(await open({ ...wish, repo: 'nowhere' }), 404, 'not_found');
      expectProblem(await open({ ...wish, ids: ['0123456789abcdef'] }), 404, 'not_found');
      nothing();
    });
  });

  describe('when the platform does not answer', () => {
    const at = {
      branch: { method: 'POST', path: '/repos/octo/advised/git/refs' },
      commit: { path: '/graphql', after: 1 },
      'pull request': { method: 'POST', path: '/repos/octo/advised/pulls' },
    };
    const names = Object.keys(at) as (keyof typeof at)[];

    test.each(names)('about the %s, which was made, it is found by one look', async (step) => {
      const wish = await shown();
      visit.service.double.fault(at[step], { kind: 'reset' });
      const answer = await open({ ...wish, key: 'key-00000001' });
      expect([answer.status, answer.body.number, answer.body.deduplicated]).toEqual([201, one(), false]);
      const row = ['ann', `octo/advised#${one()}`];
      expect(await audited(visit.service)).toEqual(visit.service.app.services.store ? [row] : []);
      const count = (name: string) => steps(visit.service).filter((each) => each === name).length;
      expect([count('read'), ...names.map(count)]).toEqual([2, 1, 1, 1]);
    });

    test.each(names)('about the %s, which was not made, the next request goes on there', async (step) => {
      const wish = { ...(await shown()), key: 'key-00000001' };
      visit.service.double.fault(at[step], { kind: 'reset', lost: true });
      const answer = await open(wish);
      expectProblem(answer, 502, 'upstream_unavailable');
      expect(answer.body.details).toMatchObject({ maybe_created: true, branch: expect.stringMatching(/^advisor\//) });
      expect(answer.body.error).toContain(`The ${step === 'commit' ? 'change' : step} may `);
      const next = await open(wish);
      expect([next.status, next.body.number, next.body.deduplicated]).toEqual([201, one(), false]);
      const sent = steps(visit.service).filter((each) => each === step).length;
      // What of a lost question of GraphQL was asked, the platform does not know.
      expect(sent).toBe(step === 'commit' ? 1 : 2);
    });
  });

  test('what another person opened meanwhile is theirs', async () => {
    const wish = await shown();
    addCollaborator(visit.service);
    const own = { ...wish, key: 'key-00000001' };
    visit.service.double.fault({ method: 'POST', path: '/repos/octo/advised/pulls' }, { kind: 'reset', lost: true });
    expectProblem(await open(own), 502, 'upstream_unavailable');
    const other = await open(wish, { as: 'token-other', from: '10.0.6.2' });
    expect([other.status, other.body.deduplicated]).toEqual([201, false]);
    const next = await open(own);
    expect([next.status, next.body.number, next.body.deduplicated]).toEqual([200, one(), true]);
    const row = ['bo', `octo/advised#${one()}`];
    expect(await audited(visit.service)).toEqual(visit.service.app.services.store ? [row] : []);
  });

  test('five an hour and address are sent; what is rejected, refused or repeated takes no place', async () => {
    const wish = await shown();
    expectFields(await open({ ...wish, title: '' }), ['title', 'invalid']);
    expectProblem(await open({ ...wish, ids: ['0123456789abcdef'] }), 404, 'not_found');
    expectProblem(await open({ ...wish, base_blobs: { [file]: 'a'.repeat(40) } }), 409, 'file_changed');
    const repository = visit.service.double.world.repositories.find(({ facts }) => facts.repo === 'advised');
    for (let n = 1; n <= 5; n++) {
      Object.assign(repository ?? {}, { refs: [], pullRequests: [] });
      const answer = await open({ ...wish, note: `${n}`, key: `key-0000000${n}` });
      expect(answer.headers.get('x-ratelimit-remaining')).toBe(String(5 - n));
      expect((await open({ ...wish, note: `${n}`, key: `key-0000000${n}` })).body.number).toBe(answer.body.number);
    }
    expect((await open({ ...wish, note: 'x', key: 'key-0000000x' })).body.deduplicated).toBe(true);
    Object.assign(repository ?? {}, { refs: [], pullRequests: [] });
    visit.service.double.requests.length = 0;
    const sixth = await open({ ...wish, key: 'key-00000006' });
    expectProblem(sixth, 429, 'rate_limited');
    expect(sixth.headers.get('retry-after')).toBe('3600');
    expect(steps(visit.service).filter((step) => !step.startsWith('GET'))).toEqual(['read']);
    expect((await open({ ...wish, key: 'key-00000006' }, { from: '10.0.6.9' })).status).toBe(201);
  });
});

describe('what is sent', () => {
  const visit = freshService();
  test('is checked, and a platform token as bearer opens nothing', async () => {
    const { service } = visit;
    addAdvised(service);
    const wish = await preview(service);
    const open = opens(service);
    expectFields(await open({ ...wish, ids: [] }), ['ids', 'invalid']);
    expectFields(await open({ ...wish, ids: ['x'] }), ['ids', 'invalid']);
    expectFields(await open({ ...wish, base_blobs: {} }), ['base_blobs', 'invalid']);
    expectFields(await open({ ...wish, base_blobs: { 'README.md': 'a'.repeat(40) } }), ['base_blobs', 'invalid']);
    expectFields(await open({ ...wish, base_blobs: { [file]: 'a' } }), ['base_blobs', 'invalid']);
    expectFields(await open({ ...wish, resulting_blobs: { [file]: 'a' } }), ['resulting_blobs', 'invalid']);
    expectFields(await open({ ...wish, note: '€'.repeat(2001) }), ['note', 'invalid']);
    expectFields(await open({ ...wish, title: '€'.repeat(257) }), ['title', 'invalid']);
    expectFields(await open({ ...wish, by: 'bo' }), ['by', 'unknown']);
    expectFields(await open({ ...wish, key: 'short' }), ['Idempotency-Key', 'invalid']);
    const { ask } = service;
    const body = { owner: 'octo', repo: 'advised', ...wish };
    expectProblem(await ask('POST', '/api/advisor/pull-request', { headers: bearer, body }), 403, 'session_required');
    expect(written(service)).toEqual({ branches: [], pullRequests: [] });
  });
});
