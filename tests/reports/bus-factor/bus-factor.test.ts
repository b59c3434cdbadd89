import { describe, expect, test } from 'vitest';
import { expectProblem, freshService } from '../../api/endpoints.ts';
import { aCommit, aFile, anActor } from '../../codehost-double/delivery-builders.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import { asking, day, hour } from '../workload/workload-world.ts';

const visit = freshService();
const of = (repo: string, more = '') => `/api/codehost/bus-factor?owner=octo&repo=${repo}${more}`;
const ask = (path: string, as?: string) => asking(visit.service, path, as);

interface Module {
  module: string;
  bus_factor: number;
  risk: string;
  total_commits: number;
  unique_contributors: number;
  contributors: { login: string; commits: number; pct: number }[];
}
const moduleOf = ({ modules }: { modules: Module[] }, name: string) => modules.find(({ module }) => module === name);

/** Adds commits of one author that each change one file. */
function commits(repo: string, author: string, paths: string[], at = namedNow - day) {
  for (const [index, path] of paths.entries()) {
    const one = aCommit(at - index * 60_000, anActor(author), `Change ${path} ${index}`, { files: [aFile(path)] });
    visit.service.double.addCommit(repo, one);
  }
}
const times = (count: number, path: string) => Array<string>(count).fill(path);

/** A repository with nothing but what a test adds. */
const anEmptyHistory = (id: number, name = 'octo/parts') =>
  visit.service.double.addRepository({ name, facts: { id }, commits: [], workflows: [], workflowFiles: [] });

describe('modules', () => {
  test('one author of 80 % is critical, two a warning, three are healthy, four commits are too few to say', async () => {
    const { body } = await ask(of('web'));
    expect(moduleOf(body, 'src/pay')).toEqual({
      module: 'src/pay',
      bus_factor: 1,
      risk: 'critical',
      total_commits: 10,
      unique_contributors: 2,
      contributors: [
        { login: 'ana', commits: 8, pct: 80 },
        { login: 'bob', commits: 2, pct: 20 },
      ],
    });
    expect(moduleOf(body, 'src/cart')).toMatchObject({ bus_factor: 2, risk: 'warning', unique_contributors: 4 });
    expect(moduleOf(body, 'docs')).toMatchObject({ bus_factor: 3, risk: 'healthy' });
    expect(moduleOf(body, 'ops')).toMatchObject({ bus_factor: 1, risk: 'critical', total_commits: 5 });
    expect(moduleOf(body, 'tools')).toMatchObject({ bus_factor: 2, risk: 'low_sample', total_commits: 4 });
  });

  test('are at most two directories deep, and the top has a name of its own', async () => {
    const names = (await ask(of('web'))).body.modules.map(({ module }: Module) => module);
    expect(names).toEqual(expect.arrayContaining(['(root)', 'src', 'src/lib', '.github/workflows']));
    expect(names.filter((name: string) => name.split('/').length > 2)).toEqual([]);
  });

  test('the one that holds most of the work is split up, as often as it takes', async () => {
    anEmptyHistory(90_001);
    commits('octo/parts', 'ana', times(5, 'app/main/core/pay/a.ts'));
    commits('octo/parts', 'bob', times(5, 'app/main/core/cart/a.ts'), namedNow - 2 * day);
    commits('octo/parts', 'cy', times(2, 'app/main/web/a.ts'), namedNow - 3 * day);
    const { body, operations } = await ask(of('parts'));
    expect(operations.length).toBeLessThanOrEqual(10 + 1);
    expect(body.modules.map(({ module, total_commits }: Module) => [module, total_commits])).toEqual([
      ['app/main/core/cart', 5],
      ['app/main/core/pay', 5],
      ['app/main/web', 2],
    ]);
    expect(body).toMatchObject({ critical_modules: 2, partial: false });
  });

  test('one that is all there is below another is not looked into', async () => {
    anEmptyHistory(90_005);
    commits('octo/parts', 'ana', [
      ...times(5, 'src/main/java/org/a/A.java'),
      ...times(5, 'src/main/java/org/b/B.java'),
    ]);
    const { body, operations } = await ask(of('parts'));
    expect(body.modules.map(({ module }: Module) => module)).toEqual(['src/main']);
    expect(operations.filter((one) => one === 'Directories')).toHaveLength(2);
  });

  test('critical ones come first, then those with most commits', async () => {
    const { body } = await ask(of('web'));
    const order = body.modules.map(({ risk, total_commits }: Module) => [risk === 'critical', total_commits]);
    expect(order).toEqual(
      order.toSorted(
        ([a, few]: [boolean, number], [b, many]: [boolean, number]) => Number(b) - Number(a) || many - few,
      ),
    );
    expect(body.modules_total).toBe(body.modules.length);
  });
});

describe('the whole', () => {
  test('counts people’s commits of 90 days', async () => {
    const { body, headers } = await ask(of('web'));
    expect(body).toMatchObject({
      overall_bus_factor: 6,
      total_commits: 72,
      fetched_commits: 74,
      total_commits_listed: 74,
      commit_cap: 300,
      window_days: 90,
      critical_modules: 2,
      excluded: { bots: 1, merges: 1 },
      empty_repository: false,
      partial: false,
      data_source: 'live',
      generated_at: '2026-11-16T10:00:00.000Z',
      coverage: { complete: true, expected: 74, read: 74, cap: null, reasons: [] },
    });
    expect(body.covers_from).toBe(new Date(namedNow - 67 * day - 4 * hour).toISOString());
    expect(headers.get('x-partial')).toBe('false');
  });

  test('a module of one lone commit is not called critical', async () => {
    const { body } = await ask(of('web'));
    const lone = body.modules.filter(({ total_commits }: Module) => total_commits === 1);
    expect(lone.map(({ risk }: Module) => risk)).toEqual(['low_sample', 'low_sample', 'low_sample']);
    expect(body.critical_modules).toBe(body.modules.filter(({ risk }: Module) => risk === 'critical').length);
  });

  test('bots and merges are no authors, and are counted apart', async () => {
    const { body } = await ask(of('web'));
    const logins = body.modules.flatMap(({ contributors }: Module) => contributors.map(({ login }) => login));
    expect(logins).not.toContain('dependabot');
    expect(body.excluded).toEqual({ bots: 1, merges: 1 });
    expect(body.total_commits + body.excluded.bots + body.excluded.merges).toBe(body.fetched_commits);
  });

  test('whoever has no account is known by name', async () => {
    const { body } = await ask(of('web'));
    expect(moduleOf(body, 'src')?.contributors.map(({ login }) => login)).toContain('Nobody Known');
  });

  test('whoever goes by an email address in git is known by what stands before the @', async () => {
    anEmptyHistory(90_004);
    for (const [index, authorName] of ['jo@mail.example', 'Jo <jo@mail.example>', 'jo'].entries()) {
      const one = aCommit(namedNow - (index + 1) * hour, null, 'A change', { files: [aFile('app/a.ts')], authorName });
      visit.service.double.addCommit('octo/parts', one);
    }
    const { body, text } = await ask(of('parts'));
    expect(moduleOf(body, 'app')?.contributors).toEqual([{ login: 'Jo', commits: 3, pct: 100 }]);
    expect(text).not.toContain('@');
  });

  test('what the cap of 300 cut is said, and from when on the rest covers', async () => {
    visit.service.double.addCommits('octo/api', 400, { from: namedNow - 20 * day, to: namedNow - day });
    const { body, headers } = await ask(of('api'));
    expect(body).toMatchObject({ fetched_commits: 300, partial: true, overall_bus_factor: 1 });
    expect(body.total_commits_listed).toBeGreaterThanOrEqual(400);
    expect(body.coverage).toMatchObject({ complete: false, read: 300, cap: 300, reasons: ['page_cap'] });
    expect(Date.parse(body.covers_from)).toBeGreaterThan(namedNow - 16 * day);
    expect(headers.get('x-partial')).toBe('true');
  });

  test('a commit of more than a hundred files counts for the repository alone by definition, and nothing is lost', async () => {
    anEmptyHistory(90_002);
    commits('octo/parts', 'ana', times(5, 'app/a.ts'));
    const files = Array.from({ length: 101 }, (_, index) => aFile(`lib/f${index % 3}.ts`));
    const large = aCommit(namedNow - hour, anActor('bob'), 'Format', { files });
    visit.service.double.addCommit('octo/parts', large);
    const { body, headers } = await ask(of('parts'));
    expect(body).toMatchObject({ total_commits: 6, total_contributors: 2, outside_modules: 1, partial: false });
    expect(body.outside_commits).toEqual([{ sha: large.sha, reason: 'many_files' }]);
    expect(body.coverage).toMatchObject({ complete: true, cap: null, reasons: [] });
    expect(headers.get('x-partial')).toBe('false');
    expect(body.modules.map(({ module }: Module) => module)).toEqual(['app']);
  });

  test('what touched only ignored, generated or deleted files is whole: it counts for the whole, and nothing is lost', async () => {
    anEmptyHistory(90_006);
    commits('octo/parts', 'ana', times(5, 'app/a.ts'));
    const many = Array.from({ length: 150 }, (_, index) => aFile(`vendor/lib${index}/a.js`));
    const gone = { ...aFile('old/a.ts', 0, 4), removed: true as const };
    const others = [[aFile('package-lock.json')], [aFile('node_modules/a/b.js')], many, [gone]];
    for (const [index, files] of others.entries())
      visit.service.double.addCommit(
        'octo/parts',
        aCommit(namedNow - index * hour, anActor('bob'), 'Other', { files }),
      );
    const { body, headers } = await ask(of('parts'));
    expect(body).toMatchObject({ total_commits: 9, total_contributors: 2, outside_modules: 0, partial: false });
    expect(body.coverage).toMatchObject({ complete: true, reasons: [] });
    expect(body.modules.map(({ module }: Module) => module)).toEqual(['app']);
    expect(headers.get('x-partial')).toBe('false');
  });

  test('commits are listed from the very start of the window on, also beyond the cap', async () => {
    anEmptyHistory(90_007);
    const from = namedNow - 90 * day;
    visit.service.double.addCommits('octo/parts', 400, { from, to: namedNow - day });
    for (const ago of [1000, 5 * hour])
      visit.service.double.addCommit(
        'octo/parts',
        aCommit(from - ago, anActor('bob'), 'Before', { files: [aFile('app/a.ts')] }),
      );
    const { body } = await ask(of('parts'));
    expect(body).toMatchObject({ fetched_commits: 300, total_commits_listed: 400, partial: true });
    expect(body.coverage).toMatchObject({ expected: 400, read: 300, cap: 300 });
  });

  test('commits dated into the future take no place of others', async () => {
    anEmptyHistory(90_008);
    visit.service.double.addCommits('octo/parts', 250, { from: namedNow + day, to: namedNow + 20 * day });
    commits('octo/parts', 'ana', times(60, 'app/a.ts'));
    const { body, operations } = await ask(of('parts'));
    expect(body).toMatchObject({ fetched_commits: 60, total_commits: 60, total_commits_listed: 60, partial: false });
    expect(moduleOf(body, 'app')?.total_commits).toBe(60);
    // One page of history, the paths, one request for their histories; and the proof.
    expect(operations.length).toBeLessThanOrEqual(4);
  });

  test('an empty repository has zeros, and says that it is empty', async () => {
    const { status, body } = await ask(of('empty'));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      overall_bus_factor: 0,
      critical_modules: 0,
      modules: [],
      modules_total: 0,
      total_commits: 0,
      fetched_commits: 0,
      total_commits_listed: 0,
      covers_from: null,
      empty_repository: true,
      partial: false,
    });
  });

  test('a quiet repository is not an empty one', async () => {
    anEmptyHistory(90_003);
    expect((await ask(of('parts'))).body).toMatchObject({ total_commits: 0, empty_repository: false });
  });
});

describe('as a table and opened', () => {
  test('the modules are its rows', async () => {
    const { text, headers } = await ask(of('web', '&format=csv'));
    expect(headers.get('content-type')).toContain('text/csv');
    const [head, first] = text.replace('\ufeff', '').split('\r\n');
    expect(head).toBe('module,bus_factor,risk,total_commits,unique_contributors,contributors');
    expect(first).toMatch(/^src\/pay,1,critical,10,2,/);
  });

  test('the whole is what its counted commits say; the others have a reason', async () => {
    const { body } = await ask('/api/explain?metric=bus_factor&owner=octo&repo=web');
    expect(body).toMatchObject({ metric: 'bus_factor', value: 6, sample: 72, unit: 'count', partial: false });
    const shares = Map.groupBy(body.counted, ({ note }: { note: string }) => note);
    const sizes = [...shares.values()].map(({ length }) => length).sort((a, b) => b - a);
    const enough = sizes.findIndex((_, index) => 10 * sizes.slice(0, index + 1).reduce((a, b) => a + b) >= 8 * 72);
    expect(enough + 1).toBe(body.value);
    expect(body.left_out.map(({ reason, count }: { reason: string; count: number }) => [reason, count])).toEqual([
      ['by a bot', 1],
      ['a merge commit', 1],
    ]);
    expect(body.counted[0]).toMatchObject({
      url: expect.stringMatching(/\/octo\/web\/commit\/[0-9a-f]{40}$/),
      note: 'ann',
    });
    expectProblem(await ask('/api/explain?metric=bus_factor&owner=octo&repo=secret', 'token-bo'), 404, 'not_found');
  });
});
