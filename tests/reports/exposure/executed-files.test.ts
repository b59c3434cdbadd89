import { afterAll, beforeAll, expect, test } from 'vitest';
import { logDownloads } from '../../../jobs/log-downloads.ts';
import { runJob } from '../../../jobs/run-job.ts';
import type { Services } from '../../../server/access/context.ts';
import { shaOf } from '../../codehost-double/delivery-builders.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { trackAll } from '../../jobs/night.ts';
import { dated, download, jobLines } from '../../metrics/security/log-text.ts';
import { aJob, aRun } from '../../metrics/worlds.ts';
import { eachDatabase } from '../../support/database.ts';
import { type Service, startService } from '../../support/service.ts';
import { day, hour, minute } from '../../sync/stage.ts';

const [good, evil, safe, outer] = ['good', 'evil', 'safe', 'outer'].map(shaOf) as [string, string, string, string];
const path = '.github/workflows/gone.yml';
const script = 'name: x\nruns:\n  using: node24\n  main: index.js\n';
const list = (uses: readonly string[]) => uses.map((use) => `      - uses: ${use}\n`).join('');
const workflow = (...uses: string[]) =>
  `on: push\njobs:\n  build:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: make\n${list(uses)}`;
const composite = (...uses: string[]) => `name: x\nruns:\n  using: composite\n  steps:\n${list(uses)}`;

interface JudgedUse {
  run: { id: number };
  verdict: string;
  reasons: string[];
  proof: { kind: string } | null;
}

eachDatabase((given) => {
  let service: Service;
  let start: number;
  const store = () => service.app.services.store as NonNullable<Services['store']>;
  /** A file at a commit of a repository. */
  const put = (name: string, commit: string, file: string, text: string) =>
    void repositoryOf(service.double.world, name).refs.push({
      kind: 'heads',
      name: `at-${commit}`,
      commits: [commit],
      files: new Map([[file, text]]),
    });
  /** A run of one job whose log is gone, by a workflow file of its commit. */
  const run = async (id: number, text: string, event = 'push') => {
    const createdAt = start + hour;
    const end = createdAt + 5 * minute;
    const headSha = shaOf(`head ${id}`);
    put('octo/app', headSha, path, text);
    const stored = aRun({ id, runNumber: id, event, headSha, createdAt, startedAt: createdAt, updatedAt: end });
    service.double.putRun('octo/app', { ...stored, workflowId: 0 } as never);
    const times = { createdAt, startedAt: createdAt, completedAt: end };
    service.double.putJobs('octo/app', id, 1, [aJob({ id: id * 100, runId: id, name: 'build', ...times })]);
    service.double.putLog('octo/app', id * 100, 'expired');
    const known = await store().repositories.find(repositoryOf(service.double.world, 'octo/app').facts);
    await store().runs.ingest(known?.id ?? 0, [stored], { syncedAt: service.clock.now() });
  };
  const question = (more: object = {}) => ({
    org: 'octo',
    name: 'some/tool',
    sha: evil,
    from: new Date(start).toISOString(),
    to: new Date(start + day).toISOString(),
    ...more,
  });
  const ask = async (more: object = {}) => {
    const given = Object.entries(question(more)).filter(([, value]) => value !== '');
    const query = new URLSearchParams(given as never);
    return (await service.ask('GET', `/api/exposure/search?${query}`, { as: 'token-ann' })).body;
  };
  /** What is said of each run, by its id. */
  const verdicts = async (more: object = {}) => {
    const { uses }: { uses: JudgedUse[] } = await ask(more);
    return Object.fromEntries(
      uses.map(({ run: { id }, verdict, reasons, proof }) => [id, [verdict, proof?.kind ?? reasons]]),
    );
  };

  beforeAll(async () => {
    service = await startService({
      DATABASE_URL: await given.migrated(),
      CODEHOST_TOKEN: 'token-ann',
      SCHEDULER: 'external',
    });
    for (const name of ['octo/app', 'some/tool', 'other/safe', 'other/outer'])
      service.double.addRepository({ name, facts: { private: false, visibility: 'public' } });
    put('some/tool', good, 'action.yml', script);
    put('some/tool', evil, 'action.yml', script);
    put('other/safe', safe, 'action.yml', script);
    put('other/outer', outer, 'action.yml', composite('some/tool@v1'));
    await trackAll(service.double, store(), ['octo/app'], service.clock.now());
    start = service.clock.now() - day;
    await run(1, workflow(`some/tool@${good}`));
    await run(2, workflow(`other/safe@${safe}`));
    await run(3, workflow(`some/tool@${evil}`));
    await run(4, workflow('other/tag@v1'));
    await run(5, workflow(`other/outer@${outer}`));
    await run(6, workflow(`other/safe@${safe}`), 'pull_request');
    await run(7, workflow('./local'));
    await run(8, workflow(`other/safe@${shaOf('nowhere')}`));
    await run(9, 'on: [');
    await run(11, workflow('some\\tool@v1'));
    // The log of another run names the listed SHA as a commit.
    await run(10, workflow('some/tool@v1'));
    await run(12, workflow('other/tag@v1'), 'pull_request');
    const putLog = (job: number, ...downloads: string[]) => {
      const lines = jobLines({ downloads });
      const text = dated(lines, start + hour, (5 * minute) / lines.length).join('\n');
      service.double.putLog('octo/app', job, text);
    };
    putLog(1000, download('some/tool@v1', evil));
    putLog(1200);
  });
  afterAll(() => service?.close());

  test('before it is read, no file decides', async () => {
    const { totals, coverage } = await ask();
    expect(totals.attempts).toEqual({ proven: 0, possible: 0, unknown: 12, no: 0 });
    expect(coverage.reasons).toContain('files_unread');
  });

  test('the workflow file that certainly ran decides where logs are gone, if all that it uses is certain', async () => {
    await service.ask('POST', '/api/exposure/logs', { as: 'token-ann', body: question() });
    service.double.requests.length = 0;
    const slot = { slot: 'one', trigger: 'http', stopping: AbortSignal.any([]) } as const;
    expect((await runJob(logDownloads, service.app.services, slot))?.status).toBe('done');
    expect(service.double.violations).toEqual([]);
    // One for each file that ran, and one for each level of actions that was not read before.
    expect(service.double.requests.filter(({ operation }) => operation === 'ActionFiles').length).toBeLessThanOrEqual(
      15,
    );
    expect(await verdicts()).toEqual({
      1: ['no', 'N4'],
      2: ['no', 'N2'],
      3: ['possible', ['job_not_matched']],
      4: ['unknown', ['unreadable_action', 'indirect_unpinned']],
      5: ['possible', expect.arrayContaining(['ledger_gap', 'log_expired'])],
      6: ['unknown', ['ledger_gap', 'unreadable_file']],
      7: ['unknown', ['local_action_not_in_tree']],
      8: ['unknown', expect.arrayContaining(['unreadable_action'])],
      9: ['unknown', ['ledger_gap', 'unreadable_file']],
      10: ['proven', 'log_line'],
      11: ['unknown', ['expression']],
      12: ['no', 'N1'],
    });
  });

  test('the workflow file that ran may be what was compromised', async () => {
    const found = await verdicts({ name: 'octo/app', kind: 'reusable_workflow', sha: shaOf('head 2') });
    expect(found[2]?.[0]).toBe('possible');
    // No commit with that id was ever seen, so that it may be a tag of any of them.
    expect(found[1]).toEqual(['possible', expect.arrayContaining(['commit_not_known'])]);
  });

  test.each(['', 'action'])('no log clears a run of the compromised repository itself, kind %s', async (kind) => {
    const found = await verdicts({ name: 'octo/app', sha: '', ref: 'v1', kind });
    expect(found[12]).toEqual(['possible', expect.arrayContaining(['unreadable_file'])]);
    expect(found[7]).toEqual(['possible', expect.arrayContaining(['local_action_not_in_tree'])]);
  });

  test('8: a comment behind a SHA changes nothing: the SHA counts', async () => {
    await run(13, workflow(`some/tool@${evil} # v4.2.2`));
    await run(14, workflow(`some/tool@${good} # v4.2.2`));
    await service.ask('POST', '/api/exposure/logs', { as: 'token-ann', body: question() });
    const slot = { slot: 'comments', trigger: 'http', stopping: AbortSignal.any([]) } as const;
    expect((await runJob(logDownloads, service.app.services, slot))?.status).toBe('done');
    const all = [{}, { sha: good }, { sha: '', ref: 'v4.2.2' }, { sha: '', ref: 'v1' }, { sha: '', range: '>= 4.0.0' }];
    for (const asked of all) {
      const found = await verdicts(asked);
      expect(found[13]).toEqual(found[3]);
      expect(found[14]).toEqual(found[1]);
    }
    const found = await verdicts();
    expect([found[13], found[14]]).toEqual([
      ['possible', ['job_not_matched']],
      ['no', 'N4'],
    ]);
  });

  test('17: of a run by pull_request_target no file is certain', async () => {
    await run(15, workflow(`other/safe@${safe}`), 'pull_request_target');
    await service.ask('POST', '/api/exposure/logs', { as: 'token-ann', body: question() });
    const slot = { slot: 'target', trigger: 'http', stopping: AbortSignal.any([]) } as const;
    expect((await runJob(logDownloads, service.app.services, slot))?.status).toBe('done');
    expect((await verdicts())[15]).toEqual(['unknown', ['ledger_gap', 'unreadable_file']]);
  });

  test('where not every commit is listed, a name that may be a former one of it clears nothing', async () => {
    const found = await verdicts({ sha: '', ref: 'v1' });
    expect(found[2]).toEqual(['unknown', ['commit_not_known']]);
  });
});
