import { describe, expect, test } from 'vitest';
import type { RecordedAttempt } from '../../server/advisor/history.ts';
import { toLimit } from '../../server/advisor/kinds/time-limits.ts';
import { aJob, anAttempt, day, hour, minute, now, only, recommendFor } from './histories.ts';

const jobs = `jobs:
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 20
    steps:
      - run: make test
`;
const onPullRequests = `name: CI\non: pull_request\n${jobs}`;
const from = now - 30 * day;

/** So many runs of pull requests, hours apart; the first ones are each replaced after four of their ten minutes. */
const pullRequestRuns = (count: number, superseded: number): RecordedAttempt[] =>
  Array.from({ length: count }, (_, index) => index).flatMap((index) => {
    const arrivedAt = from + index * hour;
    const older = anAttempt({ arrivedAt, headBranch: `branch-${index}` });
    return index < superseded
      ? [older, anAttempt({ arrivedAt: arrivedAt + 4 * minute, headBranch: `branch-${index}` })]
      : [older];
  });

describe('ADV-01 cancels superseded runs', () => {
  const find = (text: string, attempts = pullRequestRuns(20, 5)) => only(recommendFor(text, { attempts }), 'ADV-01');

  test('counts runs that a newer one of their branch was created before the end of', () => {
    const found = find(onPullRequests);
    expect(found).toMatchObject({
      text: '5 of 25 pull-request runs were replaced by a newer one before they ended.',
      sample: 25,
      reasons: [],
      line: 2,
    });
    expect(found?.evidence.length).toBe(5);
    expect(found?.changes).toEqual([
      {
        do: 'insert',
        at: [],
        key: 'concurrency',
        value: {
          group: `\${{ github.workflow }}-\${{ github.event.pull_request.number || github.run_id }}`,
          'cancel-in-progress': true,
        },
        after: ['permissions', 'on'],
      },
    ]);
  });

  test.each([
    [15, 4],
    [14, 5],
  ])('needs 20 runs and 5 superseded ones', (count, superseded) => {
    expect(find(onPullRequests, pullRequestRuns(count, superseded))?.reasons).toEqual(['sample_too_small']);
  });

  test('another branch, event or workflow supersedes nothing, nor does a re-run', () => {
    const arrivedAt = from;
    const one = { arrivedAt, headBranch: 'one' };
    const others = [
      { headBranch: 'other' },
      { event: 'push' },
      { workflowId: 7002 },
      { attempt: 2 },
      { arrivedAt: arrivedAt + 10 * minute },
    ];
    const attempts = [
      anAttempt(one),
      ...others.map((other) => anAttempt({ ...one, arrivedAt: arrivedAt + minute, ...other })),
    ];
    expect(find(onPullRequests, attempts)?.evidence).toEqual([]);
  });

  test('a branch named as the default one is that of a fork, or of several', () => {
    const runs = pullRequestRuns(20, 5);
    const ofForks = [0, minute].map((later) => anAttempt({ arrivedAt: from + later, headBranch: 'main' }));
    const found = find(onPullRequests, [...runs, ...ofForks]);
    expect([found?.sample, found?.evidence.length]).toEqual([25, 5]);
    const changed = found?.counterfactual?.change(ofForks) ?? [];
    expect(changed).toEqual(ofForks);
  });

  test('says how many had failed before', () => {
    const runs = pullRequestRuns(20, 5);
    const [first] = runs;
    if (first) first.jobs = [aJob('test', first.arrivedAt, 3, 'failure'), aJob('lint', first.arrivedAt, 5, 'failure')];
    expect(find(onPullRequests, runs)?.risks).toEqual([{ text: expect.any(String), count: 1, of: 5 }]);
  });

  test('cancels pushes to branches where nothing else starts it', () => {
    const found = only(recommendFor(`on:\n  push:\n${jobs}`), 'ADV-01');
    expect(JSON.stringify(found?.changes)).toContain("{{ (github.ref_type == 'tag' ||");
    expect(only(recommendFor(`on:\n  push:\n    branches: [main]\n${jobs}`), 'ADV-01')).toBeUndefined();
    expect(only(recommendFor(`on:\n  push:\n    tags: ['v*']\n${jobs}`), 'ADV-01')).toBeUndefined();
    expect(only(recommendFor(`on:\n  push:\n    branches: [main, dev]\n${jobs}`), 'ADV-01')).toBeDefined();
  });

  test.each(['workflow_dispatch', 'deployment', 'create', 'schedule'])('a push cancels no run of %s', (event) => {
    const found = only(recommendFor(`on:\n  push:\n  ${event}:\n${jobs}`), 'ADV-01');
    expect(JSON.stringify(found?.changes)).toContain("{{ (github.event_name != 'push' || github.ref_type == 'tag' ||");
  });

  const withGroup = (rest: string, on = 'pull_request') =>
    `on: ${on}\nconcurrency:\n  group: \${{ github.workflow }}-\${{ github.ref }}\n${rest}${jobs}`;

  test('an existing group is completed', () => {
    expect(find(withGroup(''))?.changes).toEqual([
      { do: 'insert', at: ['concurrency'], key: 'cancel-in-progress', value: true, after: ['group'] },
    ]);
    expect(find(withGroup('  cancel-in-progress: false\n', '[push, pull_request]'))?.changes).toEqual([
      {
        do: 'replace',
        at: ['concurrency', 'cancel-in-progress'],
        value: `\${{ github.event_name == 'pull_request' }}`,
      },
    ]);
    expect(find(withGroup('  cancel-in-progress: true\n'))).toBeUndefined();
    expect(find(withGroup(`  cancel-in-progress: \${{ inputs.cancel }}\n`))).toBeUndefined();
    expect(find(`on: pull_request\nconcurrency:\n  group: one\n${jobs}`)).toBeUndefined();
    // Another file may have the same group.
    expect(find(`on: pull_request\nconcurrency:\n  group: ci-\${{ github.ref }}\n${jobs}`)).toBeUndefined();
  });

  const grouped = (group: string) => `name: CI\non: pull_request\nconcurrency:\n  group: ${group}\n${jobs}`;

  test.each([
    `\${{ github.workflow }}-\${{ github.ref }}`,
    `ci-\${{ github.workflow }}-\${{ github.head_ref || github.run_id }}`,
    `\${{ github.workflow }}-\${{ github.event.pull_request.number || github.ref }}`,
    `\${{ github.workflow }}-\${{ github.event_name == 'pull_request' && github.head_ref || github.run_id }}`,
    `\${{ format('{0}-{1}', github.workflow, github.ref) }}`,
  ])('%j is of one pull request', (group) => {
    expect(find(grouped(group))?.reasons).toEqual([]);
  });

  test.each([
    `\${{ github.workflow }}-\${{ github.ref }}-\${{ github.sha }}`,
    `\${{ github.workflow }}-\${{ github.ref }}-\${{ github.run_id }}`,
    `\${{ github.workflow }}-\${{ github.ref }}-\${{ github.run_number }}`,
    `\${{ github.workflow }}-\${{ github.event_name == 'push' && github.ref || github.run_id }}`,
    `\${{ github.workflow }}-\${{ github.head_ref && github.run_id }}`,
    `\${{ github.workflow }}-\${{ github.ref }}-\${{ inputs.environment }}`,
    `\${{ github.workflow }}-\${{ github.head_ref || github.ref_name }}-\${{ github.actor }}`,
    `\${{ github.workflow }}-\${{ github.event.pull_request.head.sha }}`,
    `\${{ github.workflow }}-\${{ format('{0}-{1}', github.ref, github.run_attempt) }}`,
  ])('%j is of one commit or run, or of what is not known', (group) => {
    expect(find(grouped(group))).toBeUndefined();
  });

  test('an existing group that another file may build as well is left alone', () => {
    const group = grouped(`\${{ github.workflow }}-\${{ github.ref }}`);
    const attempts = pullRequestRuns(20, 5);
    const reasons = (around: Parameters<typeof recommendFor>[1]) =>
      only(recommendFor(group, { attempts, ...around }), 'ADV-01')?.reasons;
    expect(reasons({ others: { 'other.yml': 'name: ci\non: push\njobs: {}\n' } })).toEqual(['shared_name']);
    expect(reasons({ others: { 'other.yml': 'name: other\non: push\njobs: {}\n' } })).toEqual([]);
    expect(reasons({ hasUnreadFiles: true })).toEqual(['files_unread']);
    const inserted = only(recommendFor(onPullRequests, { attempts, hasUnreadFiles: true }), 'ADV-01');
    expect(inserted?.reasons).toEqual([]);
    expect(JSON.stringify(inserted?.changes)).toContain('"ci.yml-${{ github.event');
  });

  test('a queue is left alone (T28)', () => {
    expect(find(withGroup('  queue: max\n'))?.reasons).toEqual(['queue_max']);
  });

  test('a name that two files have is replaced by the name of the file', () => {
    const others = { 'other.yml': 'name: ci\non: push\njobs: {}\n' };
    const found = only(recommendFor(onPullRequests, { others }), 'ADV-01');
    expect(JSON.stringify(found?.changes)).toContain('"ci.yml-${{ github.event');
  });

  test.each([
    ['on:\n  pull_request:\n  workflow_call:\n', jobs, 'called_workflow'],
    ['on:\n  pull_request:\n  pull_request_target:\n', jobs, 'event_types'],
    ['on:\n  pull_request:\n    types: [opened, labeled]\n', jobs, 'event_types'],
    ['on: [pull_request, pull_request_review]\n', jobs, 'event_types'],
    ['on: pull_request\n', 'jobs:\n  ship:\n    uses: ./.github/workflows/ship.yml\n', 'deploys'],
    ['on: pull_request\n', jobs.replace('    steps', '    environment: preview\n    steps'), 'deploys'],
    ['on: pull_request\npermissions:\n  contents: write\n', jobs, 'deploys'],
    ['on: pull_request\n', `${jobs}      - run: npm publish\n`, 'deploys'],
    ['# Generated by tool, do not edit\non: pull_request\n', jobs, 'generated_file'],
    ['on: pull_request # scan: ignore ADV-01 we want all results\n', jobs, 'suppressed'],
  ])('%j is not offered', (head, rest, reason) => {
    expect(find(head + rest)?.reasons).toEqual([reason]);
  });

  test('a job that other events alone reach may deploy', () => {
    const deploying = `${jobs}  ship:\n    if: github.event_name == 'push'\n    environment: production\n    steps:\n      - run: make\n`;
    expect(find(`on:\n  push:\n    branches: [main]\n  pull_request:\n${deploying}`)?.reasons).toEqual([]);
  });

  test('a deployment within ten minutes of a superseded run excludes, and so does not knowing', () => {
    const attempts = pullRequestRuns(20, 5);
    const end = attempts[0]?.endedAt ?? 0;
    const reasons = (deployedAt: number[] | null) =>
      only(recommendFor(onPullRequests, { attempts, deployedAt }), 'ADV-01')?.reasons;
    expect(reasons([end - 1, end + 10 * minute + 1])).toEqual([]);
    expect(reasons([end + 10 * minute])).toEqual(['deploys']);
    expect(reasons(null)).toEqual(['deployments_unknown']);
  });

  test('without history it has no numbers and is not offered: what excludes it is not known', () => {
    expect(only(recommendFor(onPullRequests), 'ADV-01')).toMatchObject({
      sample: 0,
      facts: [],
      reasons: ['history_absent'],
    });
  });
});

describe('ADV-02 runs once per change', () => {
  const both = `on: [push, pull_request]\n${jobs}`;
  const pairs = (count: number) =>
    Array.from({ length: count }, (_, index) => index).flatMap((index) => {
      const pair = { headBranch: `branch-${index}`, headSha: `head-${index}`, arrivedAt: from + index * hour };
      return [anAttempt({ ...pair, event: 'push' }), anAttempt({ ...pair, arrivedAt: pair.arrivedAt + minute })];
    });
  const pushes = (count: number, headBranch: string) =>
    Array.from({ length: count }, () => anAttempt({ event: 'push', headBranch, arrivedAt: from }));
  const find = (attempts: RecordedAttempt[], text = both) => only(recommendFor(text, { attempts }), 'ADV-02');

  test('counts commits with a run for their push and one for their pull request (T5)', () => {
    const found = find([...pairs(40), ...pushes(20, 'main')]);
    expect(found).toMatchObject({
      text: '40 of 60 runs of pushes were for a commit whose pull request ran as well.',
      reasons: [],
      changes: [{ do: 'filter-triggers', filters: { push: { branches: ['main'] } } }],
    });
  });

  test('keeps runs of tags where there were some (T6)', () => {
    const tagged = { do: 'filter-triggers', filters: { push: { branches: ['main'], tags: ['**'] } } };
    expect(find([...pairs(40), ...pushes(2, 'v1.2.0'), ...pushes(3, '2.0.0-rc.1')])?.changes).toEqual([tagged]);
    // It may be a branch as well: then tags do no harm.
    expect(find([...pairs(40), ...pushes(1, 'nightly-20261101')])?.changes).toEqual([tagged]);
  });

  test('keeps branches that live long, at most five', () => {
    const found = find([...pairs(40), ...pushes(5, 'stable'), ...pushes(1, 'release/2')]);
    expect(found?.changes).toEqual([
      { do: 'filter-triggers', filters: { push: { branches: ['main', 'release/2', 'stable'], tags: ['**'] } } },
    ]);
    const many = Array.from({ length: 6 }, (_, index) => pushes(1, `release/${index}`)).flat();
    expect(find([...pairs(40), ...many])?.reasons).toEqual(['release_branches']);
  });

  test('keeps branches of a merge queue, unless it starts runs of its own', () => {
    const queued = Array.from({ length: 30 }, (_, index) => pushes(1, `gh-readonly-queue/main/pr-${index}-abc`)).flat();
    const branches = (text: string) => {
      const found = find([...pairs(40), ...queued], text);
      expect(found).toMatchObject({ reasons: [], lostRuns: 0, risks: [{ count: 0, of: 70 }] });
      return found?.changes;
    };
    expect(branches(both)).toEqual([
      { do: 'filter-triggers', filters: { push: { branches: ['main', 'gh-readonly-queue/**'] } } },
    ]);
    expect(branches(`on: [push, pull_request, merge_group]\n${jobs}`)).toEqual([
      { do: 'filter-triggers', filters: { push: { branches: ['main'] } } },
    ]);
  });

  test('keeps branches of versions, which tags are not', () => {
    const branches = (attempts: RecordedAttempt[]) =>
      JSON.stringify(find([...pairs(40), ...attempts])?.changes.map((change) => 'filters' in change && change.filters));
    expect(branches([...pushes(1, 'v2'), ...pushes(2, 'v1.x')])).toContain('["main","v1.x","v2"]');
    expect(branches(pushes(2, 'v4.1'))).toContain('["main","v4.1"]');
    expect(branches([...pushes(1, 'v4.1'), ...pushes(2, 'v4.1.0')])).toContain('["main"]');
    expect(branches(pushes(1, 'v2/feature'))).toContain('["main"]');
    const many = Array.from({ length: 6 }, (_, index) => pushes(1, `v${index}`)).flat();
    expect(find([...pairs(40), ...many])?.reasons).toEqual(['release_branches']);
  });

  test('excludes where more than a fifth of the pushes would have no run', () => {
    const lost = (count: number) => Array.from({ length: count }, (_, index) => pushes(1, `alone-${index}`)).flat();
    expect(find([...pairs(40), ...lost(10)])).toMatchObject({
      lostRuns: 10,
      reasons: [],
      risks: [{ count: 10, of: 50 }],
    });
    expect(find([...pairs(40), ...lost(11)])?.reasons).toEqual(['lost_runs']);
  });

  test('needs 20 pairs, a tenth of the pushes', () => {
    expect(find(pairs(19))?.reasons).toEqual(['sample_too_small']);
    expect(find([...pairs(20), ...pushes(181, 'main')])?.reasons).toEqual(['sample_too_small']);
    expect(find([...pairs(20), ...pushes(180, 'main')])?.reasons).toEqual([]);
  });

  test('ten minutes apart is a pair, more is none', () => {
    const apart = (ms: number) => [
      anAttempt({ event: 'push', headSha: 'a', headBranch: 'b', arrivedAt: from }),
      anAttempt({ headSha: 'a', headBranch: 'b', arrivedAt: from + ms }),
    ];
    expect(find(apart(10 * minute))?.evidence.length).toBe(1);
    expect(find(apart(10 * minute + 1))?.evidence.length).toBe(0);
  });

  test('runs of two branches, or without one, are no pair', () => {
    const apart = (push: string | null, pullRequest: string | null) => [
      anAttempt({ event: 'push', headSha: 'a', headBranch: push, arrivedAt: from }),
      anAttempt({ headSha: 'a', headBranch: pullRequest, arrivedAt: from }),
    ];
    expect(find(apart('b', 'b'))?.evidence.length).toBe(1);
    expect(find(apart('b', 'c'))?.evidence.length).toBe(0);
    expect(find(apart(null, null))?.evidence.length).toBe(0);
    expect(find(apart(null, null))?.counterfactual?.change(apart(null, null)).length).toBe(2);
  });

  test.each(['branches: [main]', "branches-ignore: ['x']", "tags: ['v*']"])(
    'a push with %s is no finding',
    (filter) => {
      expect(find([], `on:\n  push:\n    ${filter}\n  pull_request:\n${jobs}`)).toBeUndefined();
    },
  );

  test.each(['github.event_name', 'github.event.before', 'github.ref'])('a condition on %s excludes', (path) => {
    const text = both.replace('    steps', `    if: ${path} != 'x'\n    steps`);
    expect(find([...pairs(40)], text)?.reasons).toEqual(['reads_event']);
    const group = `concurrency:\n  group: \${{ ${path} }}\n`;
    expect(find([...pairs(40)], group + both)?.reasons).toEqual(['reads_event']);
  });

  test('github.ref_name is another path', () => {
    const text = both.replace('    steps', `    if: github.ref_name != 'x'\n    steps`);
    expect(find([...pairs(40)], text)?.reasons).toEqual([]);
  });
});

describe('ADV-03 runs the schedule less often', () => {
  const scheduled = (cron = '0 * * * *', rest = jobs) =>
    `name: Checks\non:\n  schedule:\n    - cron: '${cron}'\npermissions:\n  contents: read\n${rest}`;
  const runs = (count: number, changed = 0, different = 0) =>
    Array.from({ length: count }, (_, index) =>
      anAttempt({
        event: 'schedule',
        headSha: index < changed ? `new-${index}` : 'same',
        conclusion: index >= count - different ? 'failure' : 'success',
        arrivedAt: from + index * hour,
      }),
    );
  const find = (attempts: RecordedAttempt[] | null, text = scheduled()) =>
    only(recommendFor(text, { attempts }), 'ADV-03');

  test('counts runs of the commit that the run before had run', () => {
    expect(find(runs(30, 5))).toMatchObject({
      text: '24 of 30 scheduled runs ran a commit that the run before had run.',
      reasons: [],
      changes: [{ do: 'replace', at: ['on', 'schedule', 0, 'cron'], value: '17 */6 * * *' }],
    });
    expect(find(runs(30, 6))).toBeUndefined();
    expect(find(runs(29))?.reasons).toEqual(['sample_too_small']);
  });

  test('another result of the same commit shows that it watches something else', () => {
    expect(find(runs(30, 0, 1))).toMatchObject({ reasons: ['watches_outside'], risks: [{ count: 1, of: 29 }] });
  });

  test.each(['stale', 'nightly-backup', 'sync-labels', 'renew', 'health'])('so does the name %s', (name) => {
    expect(find(runs(30), scheduled().replace('test:', `${name}:`))?.reasons).toEqual(['watches_outside']);
  });

  test('weekly runs are on the weekday with most pushes to the default branch', () => {
    const pushed = (count: number, at: string) =>
      Array.from({ length: count }, () =>
        anAttempt({ event: 'push', headBranch: 'main', workflowId: 7002, arrivedAt: Date.parse(at) }),
      );
    const attempts = [...runs(30), ...pushed(2, '2026-11-12T10:00:00Z'), ...pushed(1, '2026-11-13T10:00:00Z')];
    expect(find(attempts, scheduled('20 2 * * *'))?.changes).toMatchObject([{ value: '20 2 * * 4' }]);
  });

  test('the weekday of a commit is that of its first run', () => {
    const pushed = (runId: number, attempt: number, at: string) =>
      anAttempt({
        event: 'push',
        headBranch: 'main',
        headSha: `commit-${runId % 10}`,
        workflowId: 7002,
        runId,
        attempt,
        arrivedAt: Date.parse(at),
      });
    const again = [1, 2].map((runId) => pushed(runId, 2, '2026-11-13T10:00:00Z'));
    const later = [11, 12].map((runId) => pushed(runId, 1, '2026-11-13T10:00:00Z'));
    const first = [1, 2].map((runId) => pushed(runId, 1, '2026-11-12T10:00:00Z'));
    const attempts = [...runs(30), ...first, ...again, ...later];
    expect(find(attempts, scheduled('20 2 * * *'))?.changes).toMatchObject([{ value: '20 2 * * 4' }]);
  });

  test('several schedules cannot be told apart', () => {
    const two = scheduled().replace("'0 * * * *'\n", "'0 * * * *'\n    - cron: '5 5 * * *'\n");
    expect(find(runs(30), two)?.reasons).toEqual(['several_schedules']);
  });

  test('scans look for new advisories', () => {
    const granting = scheduled().replace('contents: read', 'security-events: write');
    expect(find(runs(30), granting)?.reasons).toEqual(['deploys']);
  });

  test('without permissions a job may be one of a scan', () => {
    const without = scheduled().replace('permissions:\n  contents: read\n', '');
    expect(find(runs(30), without)?.reasons).toEqual(['deploys']);
    const ofJob = without.replace('    runs-on', '    permissions: {}\n    runs-on');
    expect(find(runs(30), ofJob)?.reasons).toEqual([]);
  });

  test.each([
    'uses: github/codeql-action/analyze@v4',
    'uses: github/codeql-action/upload-sarif@v4',
    'run: scan --format sarif --output results.json',
    'uses: some/scanner@v1\n        with:\n          sarif-file: results.json',
  ])('%j is of a scan, whatever is granted', (step) => {
    expect(find(runs(30), `${scheduled()}      - ${step}\n`)?.reasons).toEqual(['deploys']);
  });
});

describe('ADV-05 sets a time limit', () => {
  const unlimited = `on: pull_request\njobs:\n  test:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: make\n`;
  const runs = (minutes: number[], conclusion: 'success' | 'failure' = 'success') =>
    minutes.map((length, index) => {
      const arrivedAt = from + index * hour;
      return anAttempt({ arrivedAt, jobs: [aJob('test', arrivedAt, length, conclusion)] });
    });
  const find = (attempts: RecordedAttempt[] | null, text = unlimited) =>
    only(recommendFor(text, { attempts }), 'ADV-05');

  test('is three times the 95th percentile, ten minutes above the longest, a multiple of five (T7)', () => {
    // p95 12.0 and max 14.2: the 95th of 100 values by linear interpolation.
    const passing = [...Array.from({ length: 94 }, () => 5), 12, 12, 12, 12, 12, 14.2];
    expect(toLimit(passing)).toBe(40);
    const found = find([...runs(passing), ...runs([360], 'failure')]);
    expect(found).toMatchObject({
      sample: 100,
      reasons: [],
      changes: [{ do: 'insert', at: ['jobs', 'test'], key: 'timeout-minutes', value: 40, after: ['runs-on'] }],
      risks: [{ text: expect.stringContaining('up to 3%'), count: 0, of: 100 }],
    });
    expect(found?.evidence.map(({ why }) => why)).toEqual(['“test” ran longer than 40 min']);
  });

  test('is at least five minutes above nothing', () => {
    expect(toLimit([0.1])).toBe(15);
  });

  test('29 passing jobs are too few, and no limit is guessed (T8)', () => {
    expect(find(runs(Array.from({ length: 29 }, () => 5)))).toMatchObject({
      reasons: ['sample_too_small'],
      changes: [],
    });
  });

  test('jobs that take hours need none', () => {
    expect(find(runs(Array.from({ length: 30 }, () => 130)))).toBeUndefined();
  });

  test('cells of a matrix count together, jobs of other names do not', () => {
    const matrix = unlimited.replace('    steps', '    strategy:\n      matrix:\n        os: [a, b]\n    steps');
    const cells = Array.from({ length: 15 }, (_, index) => {
      const arrivedAt = from + index * hour;
      const jobsOfRun = ['test (a)', 'test (b)', 'tests', 'test'].map((name) => aJob(name, arrivedAt, 5));
      return anAttempt({ arrivedAt, jobs: jobsOfRun });
    });
    expect(find(cells, matrix)?.sample).toBe(45);
  });

  test('a job that became slower lately is left alone', () => {
    const slower = [
      ...Array.from({ length: 60 }, (_, index) => 5 + (index % 3)),
      ...Array.from({ length: 30 }, () => 9),
    ];
    const recent = runs(slower).map((one, index) => {
      const arrivedAt = now - (slower.length - index) * 4 * hour;
      return { ...one, arrivedAt, jobs: [aJob('test', arrivedAt, slower[index] ?? 0)] };
    });
    expect(find(recent)?.reasons).toEqual(['longer_lately']);
  });

  test('an environment may wait for an approval', () => {
    const text = unlimited.replace('    steps', '    environment: production\n    steps');
    expect(find(runs(Array.from({ length: 30 }, () => 5)), text)?.reasons).toEqual(['waits_for_approval']);
  });

  test('a name that is an expression alone fits what no other name does', () => {
    const named = (id: string, name: string) =>
      `  ${id}:\n    name: ${name}\n    runs-on: ubuntu-24.04\n    strategy:\n      matrix:\n        a: [x]\n    steps:\n      - run: make\n`;
    const text = `${unlimited}${named('cells', `\${{ matrix.a }}`)}`;
    const attempts = runs(Array.from({ length: 30 }, () => 5)).map((one) => ({
      ...one,
      jobs: [...(one.jobs ?? []), aJob('x', one.arrivedAt, 8)],
    }));
    const all = (file: string) =>
      recommendFor(file, { attempts }).flatMap(({ kind, text: said, reasons }) =>
        kind.id === 'ADV-05' ? [[said, reasons]] : [],
      );
    expect(all(text)).toEqual([
      [expect.stringContaining('30 passing jobs “test” took at most 5.0 min'), []],
      [expect.stringContaining('30 passing jobs “cells” took at most 8.0 min'), []],
    ]);
    const two = `${text}${named('others', `\${{ matrix.b }}`)}`;
    const untold = 'its runs cannot be distinguished from those of other jobs.';
    expect(all(two).map(([said, reasons]) => [String(said).slice(-untold.length), reasons])).toEqual([
      [expect.not.stringContaining(untold), []],
      [untold, ['jobs_not_mapped']],
      [untold, ['jobs_not_mapped']],
    ]);
    const partly = `${unlimited}${named('cells', `te\${{ matrix.a }}`)}`;
    expect(all(partly).map(([, reasons]) => reasons)).toEqual([['jobs_not_mapped'], ['jobs_not_mapped']]);
  });

  test('a job that passed after more time, on whatever day, excludes', () => {
    const attempts = runs(Array.from({ length: 30 }, () => 5));
    const reasons = (minutes: number, name = 'test', workflowId = 7001) =>
      only(recommendFor(unlimited, { attempts, longestPassing: [{ workflowId, name, minutes }] }), 'ADV-05')?.reasons;
    expect(reasons(15)).toEqual([]);
    expect(reasons(15.1)).toEqual(['ended_passing']);
    expect([reasons(60, 'other'), reasons(60, 'test', 7002)]).toEqual([[], []]);
  });

  test('jobs with a limit and called workflows have no finding; without history there is no value', () => {
    expect(find(null, onPullRequests)).toBeUndefined();
    expect(find(null, 'on: push\njobs:\n  call:\n    uses: ./.github/workflows/x.yml\n')).toBeUndefined();
    expect(find(null)).toMatchObject({ reasons: ['history_absent'], changes: [] });
  });
});

describe('ADV-06 stops the matrix at its first failure', () => {
  const matrix = (rest = '') =>
    `on: pull_request\njobs:\n  test:\n    runs-on: ubuntu-24.04\n    timeout-minutes: 9\n${rest}    strategy:\n      fail-fast: false\n      matrix:\n        os: [a, b, c]\n    steps:\n      - run: make\n`;
  const failing = (count: number, parts: Partial<RecordedAttempt> = {}) =>
    Array.from({ length: count }, (_, index) => {
      const arrivedAt = from + index * hour;
      const cells = [
        aJob('test (a)', arrivedAt, 4, 'failure'),
        aJob('test (b)', arrivedAt, 9),
        aJob('test (c)', arrivedAt, 3, index === 0 ? 'failure' : 'success'),
      ];
      return anAttempt({ arrivedAt, conclusion: 'failure', jobs: cells, ...parts });
    });
  const find = (attempts: RecordedAttempt[], text = matrix()) => only(recommendFor(text, { attempts }), 'ADV-06');

  test('finds nothing without a matrix: a strategy that is empty is invalid', () => {
    expect(find(failing(10), matrix().replace(/ +matrix:\n.*\n/, ''))).toBeUndefined();
  });

  test('counts failing runs in which cells ran on', () => {
    expect(find(failing(10))).toMatchObject({
      text: 'In 10 of 10 failing runs other cells ran on after the first one had failed.',
      reasons: [],
      risks: [{ count: 1, of: 10 }],
      changes: [{ do: 'remove', at: ['jobs', 'test', 'strategy', 'fail-fast'] }],
    });
    expect(find(failing(9))?.reasons).toEqual(['sample_too_small']);
  });

  test('a run and its re-runs are one', () => {
    const again = failing(9).flatMap((one) => [one, { ...one, attempt: 2, arrivedAt: one.arrivedAt + 10 * minute }]);
    expect(find(again)).toMatchObject({
      text: 'In 9 of 9 failing runs other cells ran on after the first one had failed.',
      sample: 9,
      reasons: ['sample_too_small'],
      facts: [{ value: '9' }, { value: '9' }],
      risks: [{ count: 1, of: 9 }],
    });
  });

  test('a failure of the last cell to end stops nothing', () => {
    const last = failing(10).map((one) => ({
      ...one,
      jobs: [aJob('test (a)', one.arrivedAt, 9, 'failure'), aJob('test (b)', one.arrivedAt, 4)],
    }));
    expect(find(last)?.text).toBe('In 0 of 10 failing runs other cells ran on after the first one had failed.');
  });

  test('cells that may fail, and artifacts that are read anyway, exclude', () => {
    const may = '    continue-on-error: true\n';
    expect(find(failing(10), matrix(may))?.reasons).toEqual(['continue_on_error']);
    const reading = `${matrix()}      - uses: actions/upload-artifact@v4\n  report:\n    if: always()\n    needs: test\n    timeout-minutes: 5\n    runs-on: x\n    steps:\n      - uses: actions/download-artifact@v4\n`;
    expect(find(failing(10), reading)?.reasons).toEqual(['reads_artifacts']);
    const merging = reading.replace('download-artifact', 'upload-artifact/merge');
    expect(find(failing(10), merging)?.reasons).toEqual(['reads_artifacts']);
  });

  test('flaky failures exclude from a tenth on', () => {
    const runs = failing(20);
    const passedAgain = (count: number) =>
      runs.slice(0, count).map(({ runId, arrivedAt }) => anAttempt({ runId, attempt: 2, arrivedAt: arrivedAt + hour }));
    expect(find([...runs, ...passedAgain(1)])?.reasons).toEqual([]);
    expect(find([...runs, ...passedAgain(2)])?.reasons).toEqual(['flaky']);
  });
});

describe('security kinds need no history', () => {
  const withSteps = (...steps: string[]) =>
    `on: push\npermissions: {}\njobs:\n  test:\n    runs-on: ubuntu-24.04\n    timeout-minutes: 9\n    steps:\n${steps.map((step) => `      - ${step}\n`).join('')}`;
  const unlimited = (text: string) => text.replace('permissions: {}\n', '');

  test('ADV-20 grants what known actions need', () => {
    const text = unlimited(withSteps('uses: actions/checkout@v6', 'uses: actions/configure-pages@v5', 'run: make'));
    expect(only(recommendFor(text), 'ADV-20')).toMatchObject({
      reasons: [],
      changes: [
        {
          do: 'insert',
          at: [],
          key: 'permissions',
          value: { contents: 'read', pages: 'read' },
          after: ['on'],
        },
      ],
    });
    expect(only(recommendFor(withSteps('run: make')), 'ADV-20')).toBeUndefined();
  });

  test('ADV-20 narrows write-all', () => {
    const text = withSteps('run: make').replace('{}', 'write-all');
    expect(only(recommendFor(text), 'ADV-20')?.changes).toEqual([
      { do: 'replace', at: ['permissions'], value: { contents: 'read' } },
    ]);
  });

  test.each([
    ['uses: some/action@v1'],
    ['uses: github/codeql-action/analyze@v4'],
    ['run: git push'],
    ['run: ./release.sh'],
    ['run: npm publish --provenance'],
    [`run: echo \${{ toJSON(secrets) }}`],
    ['run: gh pr list'],
    [`run: tool --token=\${{ github.token }}`],
    [`run: make\n        env:\n          T: \${{ secrets.GITHUB_TOKEN }}`],
    ['run: npm run x'],
    ['run: uv publish'],
    ['run: make bump'],
    ['run: make build-docs release'],
    ['run: yarn changelog'],
    ['run: task nightly'],
    ['run: npm run test:publish'],
    ...[
      'sync:all',
      'update-all',
      'update-package-lock',
      'refresh-test-fixtures',
      'all-contributors',
      'bot:check-updates',
      'translate-all',
      'upload-coverage',
    ].map((name) => [`run: npm run ${name}`]),
    ['run: import bump\n        shell: python'],
    ['run: make\n        shell: cmd'],
  ])('ADV-20 leaves %j alone', (step) => {
    expect(only(recommendFor(unlimited(withSteps(step))), 'ADV-20')?.reasons).toEqual(['token_use_unknown']);
  });

  test.each(['run: twine upload dist/*', 'run: cosign sign image', 'run: curl "$ACTIONS_ID_TOKEN_REQUEST_URL"'])(
    'ADV-20 leaves write-all before %j, which may use its identity',
    (step) => {
      const text = withSteps(step);
      expect(only(recommendFor(text.replace('{}', 'write-all')), 'ADV-20')?.reasons).toEqual(['token_use_unknown']);
      expect(only(recommendFor(unlimited(text)), 'ADV-20')?.reasons).toEqual([]);
    },
  );

  test.each([
    ['for tags', (text: string) => text.replace('on: push', "on: {push: {tags: ['v*']}}")],
    ['with an environment', (text: string) => text.replace('    steps', '    environment: production\n    steps')],
  ])('ADV-20 leaves write-all %s', (_what, change) => {
    const text = change(withSteps('run: make').replace('{}', 'write-all'));
    expect(only(recommendFor(text), 'ADV-20')?.reasons).toEqual(['token_use_unknown']);
  });

  test.each([
    'npm ci && npm run build:web && npm test -- --coverage',
    'make -j4',
    'make unit-tests SHARD=2',
    'yarn',
    'gradle assembleDebug :app:testDebug',
    'cargo build --release',
    'go vet ./...',
    'make e2e',
    'npx eslint .',
  ])('ADV-20 takes %j for building and testing', (run) => {
    expect(only(recommendFor(unlimited(withSteps(`run: ${run}`))), 'ADV-20')?.reasons).toEqual([]);
  });

  test('ADV-20 sees a token in the environment of the workflow, and called workflows', () => {
    const reasons = (text: string) => only(recommendFor(text), 'ADV-20')?.reasons;
    const env = `env:\n  T: \${{ secrets.GITHUB_TOKEN }}\n${unlimited(withSteps('run: make'))}`;
    expect(reasons(env)).toEqual(['token_use_unknown']);
    const calling = `${unlimited(withSteps('run: make'))}  call:\n    uses: ./.github/workflows/x.yml\n`;
    expect(reasons(calling)).toEqual(['calls_workflow']);
  });

  test('ADV-21 pins what is known, with the most exact version', () => {
    const commit = `8b1f${'0'.repeat(32)}1f60`;
    const known = {
      isArchived: false,
      isBranchAndTag: false,
      commit,
      tags: ['v6', 'v6.0.1', 'v6.0'],
      commentedCommit: null,
      isReachable: null,
      advisories: [],
    };
    const text = withSteps('uses: other/tool@v6');
    const find = (actions = {}) =>
      only(recommendFor(text, { actions: new Map([['other/tool@v6', { ...known, ...actions }]]) }), 'ADV-21');
    expect(find()).toMatchObject({
      anchor: ['jobs', 'test', 'steps', 0, 'uses'],
      reasons: [],
      changes: [{ do: 'replace', value: `other/tool@${commit}`, comment: 'v6.0.1' }],
    });
    expect(find({ isBranchAndTag: true })).toMatchObject({ reasons: ['reference_unknown'], changes: [] });
    expect(find({ commit: null })?.reasons).toEqual(['reference_unknown']);
    expect(only(recommendFor(text), 'ADV-21')?.reasons).toEqual(['reference_unknown']);
  });

  test('ADV-22 drops the credentials of a checkout', () => {
    expect(only(recommendFor(withSteps('uses: actions/checkout@v6', 'run: shellcheck *.sh')), 'ADV-22')).toMatchObject({
      reasons: [],
      changes: [
        { do: 'insert', at: ['jobs', 'test', 'steps', 0, 'with'], key: 'persist-credentials', value: false, after: [] },
      ],
    });
  });

  test.each([
    'run: git fetch --tags',
    'run: ./release.sh',
    'run: npm run release',
    'run: npm run x',
    'run: npm test',
    'run: make bump',
    'run: yarn changelog',
    'run: task',
    'uses: ./actions/x',
    'uses: tj-actions/changed-files@v46',
    'run: git -C x submodule update',
    'run: import bump\n        shell: python',
    'run: echo\n        shell: cmd',
  ])('ADV-22 leaves a checkout alone before %j', (step) => {
    expect(only(recommendFor(withSteps('uses: actions/checkout@v6', step)), 'ADV-22')?.reasons).toEqual([
      'needs_credentials',
    ]);
  });
});

describe('what all have in common', () => {
  test('names of jobs that look alike cost no time', () => {
    const name = Array.from({ length: 40 }, () => `x\${{ matrix.a }}`).join('');
    const text = `on: pull_request\njobs:\n  test:\n    name: ${name}y\n    runs-on: a\n    steps: []\n`;
    const attempts = [anAttempt({ jobs: [aJob(`${'x'.repeat(5000)}z`, from, 1)] })];
    const begun = process.cpuUsage();
    recommendFor(text, { attempts });
    expect(process.cpuUsage(begun).user).toBeLessThan(2_000_000);
  });

  test('an id stays while the file changes elsewhere, and differs by place and repository', () => {
    const [one] = recommendFor(onPullRequests);
    const [moved] = recommendFor(`# a comment\n\n${onPullRequests}`);
    expect(one?.id).toMatch(/^[0-9a-f]{16}$/);
    expect(moved).toMatchObject({ id: one?.id, line: (one?.line ?? 0) + 2 });
    const ids = recommendFor('on: push\njobs:\n  a:\n    steps: []\n  b:\n    steps: []\n').map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('an id of a step stays while other steps are added, and their refs change', () => {
    const file = (...steps: string[]) =>
      `on: push\njobs:\n  test:\n    steps:\n${steps.map((step) => `      - ${step}\n`).join('')}`;
    const pinIds = (...steps: string[]) =>
      recommendFor(file(...steps)).flatMap(({ id, kind }) => (kind.id === 'ADV-21' ? id : []));
    const [first = '', second = '', third = ''] = pinIds('uses: a/b@v1', 'uses: c/d@v1', 'uses: a/b@v1');
    expect(new Set([first, second, third]).size).toBe(3);
    expect(pinIds('run: make', 'uses: a/b@v2', 'uses: c/d@v1', 'uses: a/b@v1')).toEqual([first, second, third]);
    expect(pinIds('uses: c/d@v1')).toEqual([second]);
    expect(pinIds(`uses: a/b@${'a'.repeat(40)}`, 'uses: a/b@v1')).toEqual([third]);
    const named = pinIds('name: Tool\n        uses: a/b@v1', 'id: tool\n        uses: a/b@v1');
    expect(pinIds('id: tool\n        uses: e/f@v1', 'name: Tool\n        uses: e/f@v1')).toEqual(named.toReversed());
  });

  test.each(['', 'on: [', 'jobs: 1', 'on: push\non: pull_request\njobs: {}', '- a'])('%j has none', (text) => {
    expect(recommendFor(text)).toEqual([]);
  });
});

test('each tells how many recorded jobs fit no job of its file', () => {
  const text = 'on: pull_request\njobs:\n  test:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: make\n';
  const attempts = ['test', 'test', 'old'].map((name) => anAttempt({ jobs: [aJob(name, now - 2 * day, 5)] }));
  const shares = recommendFor(text, { attempts }).map(({ unmappedJobsPct }) => unmappedJobsPct);
  expect(new Set(shares)).toEqual(new Set([34]));
  expect(new Set(recommendFor(text).map(({ unmappedJobsPct }) => unmappedJobsPct))).toEqual(new Set([null]));
});
