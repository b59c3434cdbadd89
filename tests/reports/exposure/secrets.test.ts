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

const [evil, flows] = [shaOf('evil'), shaOf('flows')];
const path = '.github/workflows/gone.yml';
const secret = (name: string) => `\${{ secrets.${name} }}`;
/** With secrets in places where none belong. */
const workflow = (step: string, more = '') =>
  `on: push\n${more}jobs:\n  build:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: echo ${secret('OTHER')} planted-in-run\n        env:\n          KEY: planted-in-env\n          BOTH: \${{ format('planted-in-format {0}', secrets.OTHER) }}\n${step}  docs:\n    runs-on: self-hosted\n    environment: site\n    steps:\n      - run: echo ${secret('DOCS_KEY')}\n`;
const handing = (name: string, input: string) => `      - uses: ${name}\n        with:\n          token: ${input}\n`;

interface Ran {
  event?: string;
  /** The name of its job. */
  job?: string;
  log?: string[] | null;
}

interface ReachedUse {
  run: { id: number };
  [field: string]: unknown;
}

eachDatabase((given) => {
  let service: Service;
  let start: number;
  const store = () => service.app.services.store as NonNullable<Services['store']>;
  const put = (name: string, commit: string, file: string, text: string) =>
    void repositoryOf(service.double.world, name).refs.push({
      kind: 'heads',
      name: `at-${commit}`,
      commits: [commit],
      files: new Map([[file, text]]),
    });
  /** A run of one job that downloaded the compromised commit. */
  const run = async (repo: string, id: number, text: string, more: Ran = {}) => {
    const createdAt = start + hour;
    const end = createdAt + 5 * minute;
    const headSha = shaOf(`head ${id}`);
    const { event = 'push', job = 'build', log = jobLines({ downloads: [download('some/tool@v1', evil)] }) } = more;
    put(repo, headSha, path, text);
    const stored = aRun({ id, runNumber: id, event, headSha, createdAt, startedAt: createdAt, updatedAt: end });
    service.double.putRun(repo, { ...stored, workflowId: 0 } as never);
    const times = { createdAt, startedAt: createdAt, completedAt: end };
    service.double.putJobs(repo, id, 1, [aJob({ id: id * 100, runId: id, name: job, ...times })]);
    const lines = log && dated(log, createdAt, (5 * minute) / log.length).join('\n');
    service.double.putLog(repo, id * 100, lines ?? 'expired');
    const known = await store().repositories.find(repositoryOf(service.double.world, repo).facts);
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
  const ask = (more: object = {}, as = 'token-ann') =>
    service.ask('GET', `/api/exposure/search?${new URLSearchParams(question(more) as never)}`, { as });
  const useOf = async (id: number, as?: string) =>
    ((await ask({}, as)).body.uses as ReachedUse[]).find((use) => use.run.id === id) as ReachedUse;

  beforeAll(async () => {
    service = await startService({
      DATABASE_URL: await given.migrated(),
      CODEHOST_TOKEN: 'token-ann',
      SCHEDULER: 'external',
    });
    service.double.addRepository({ name: 'octo/app', facts: { private: false, visibility: 'public' } });
    service.double.addRepository({ name: 'octo/hidden', facts: { private: true, visibility: 'private' } });
    await trackAll(service.double, store(), ['octo/app', 'octo/hidden'], service.clock.now());
    start = service.clock.now() - day;
    const named = workflow(handing('some/tool@v1', secret('HANDED')), 'permissions: { contents: write }\n');
    await run('octo/app', 1, named);
    await run('octo/app', 2, workflow(handing('some/tool@v1', `\${{ toJSON(secrets) }}`)));
    // The merge commit of a pull request ran: which file that has is not known.
    await run('octo/app', 3, named, { event: 'pull_request' });
    const withoutSecrets = jobLines({ downloads: [download('some/tool@v1', evil)] }).map((line) =>
      line.replace('Secret source: Actions', 'Secret source: None'),
    );
    await run('octo/app', 4, named, { event: 'pull_request', log: withoutSecrets });
    await run('octo/app', 5, workflow(handing(`some/tool@${evil}`, secret('PINNED'))), { log: null });
    await run('octo/app', 6, workflow(''), { log: jobLines({ downloads: [] }) });
    service.double.addRepository({ name: 'octo/flows', facts: { private: true, visibility: 'private' } });
    put('octo/flows', flows, '.github/workflows/called.yml', workflow(handing('some/tool@v1', secret('GIVEN'))));
    const calling = `on: push\njobs:\n  call:\n    uses: octo/flows/.github/workflows/called.yml@${flows}\n    secrets:\n      GIVEN: ${secret('FOR_CALL')}\n`;
    await run('octo/app', 8, calling, { job: 'call / build' });
    await run('octo/hidden', 7, workflow(handing('some/tool@v1', secret('OF_HIDDEN'))));
  });
  afterAll(() => service?.close());

  test('before anything was read, nothing is said to be in reach, nor not to be', async () => {
    const { totals, secrets, uses } = (await ask()).body;
    expect(totals).toMatchObject({ secrets_named: null, attempts_all_secrets: 0, attempts_secrets_unknown: 0 });
    expect(secrets).toEqual([]);
    expect(uses[0]).toMatchObject({ secrets: null, handed: null, all_secrets: null, permissions_source: 'unknown' });
  });

  test('reading logs takes no request more, and tells what was in reach', async () => {
    await service.ask('POST', '/api/exposure/logs', { as: 'token-ann', body: question() });
    service.double.requests.length = 0;
    const slot = { slot: 'one', trigger: 'http', stopping: AbortSignal.any([]) } as const;
    expect((await runJob(logDownloads, service.app.services, slot))?.status).toBe('done');
    expect(service.double.violations).toEqual([]);
    expect(service.double.spent('core')).toBe(8 * 3);
    expect(await useOf(1)).toMatchObject({
      verdict: 'proven',
      jobs: ['build'],
      secrets: ['HANDED', 'OTHER'],
      handed: ['HANDED'],
      all_secrets: false,
      environments: [],
      permissions: { contents: 'read' },
      permissions_source: 'log',
      id_token: false,
      runner: 'hosted',
      log_public: true,
    });
    expect(await useOf(2)).toMatchObject({ secrets: ['OTHER'], handed: ['*'], all_secrets: true });
  });

  test('where it is not certain which file ran, it is not known, unless the log says that no secrets were given', async () => {
    expect(await useOf(3)).toMatchObject({ verdict: 'proven', secrets: null, handed: null, all_secrets: null });
    expect(await useOf(4)).toMatchObject({ verdict: 'proven', secrets: [], handed: [], all_secrets: false });
  });

  test('without a log the scopes of the token are those of the file, or its default', async () => {
    expect(await useOf(5)).toMatchObject({
      verdict: 'possible',
      jobs: ['build'],
      secrets: ['OTHER', 'PINNED'],
      permissions: null,
      permissions_source: 'default',
    });
    expect(await useOf(6)).toMatchObject({ verdict: 'no', secrets: null, permissions_source: 'unknown' });
  });

  test('those with most in reach come first, and what to rotate is listed by name', async () => {
    const { uses, totals, secrets, repositories } = (await ask()).body;
    expect(uses.map(({ run: { id } }: ReachedUse) => id)[0]).toBe(2);
    expect(totals).toMatchObject({
      secrets_named: 6,
      attempts_all_secrets: 1,
      attempts_id_token: 0,
      attempts_write_token: 0,
      attempts_token_unknown: 3,
      attempts_secrets_unknown: 1,
    });
    expect(secrets.map(({ name, affected }: { name: string; affected: number }) => `${name} ${affected}`)).toEqual([
      '* 1',
      'OTHER 3',
      'FOR_CALL 1',
      'HANDED 1',
      'OF_HIDDEN 1',
      'PINNED 0',
    ]);
    expect(secrets[1]).toMatchObject({ repositories: ['octo/app', 'octo/hidden'], attempts: 4, handed: 1 });
    expect(repositories.find(({ repo }: { repo: string }) => repo === 'octo/app')).toMatchObject({
      secrets: 4,
      all_secrets: true,
    });
  });

  test('what a called workflow of a private repository says, only who sees that is told', async () => {
    expect(await useOf(8)).toMatchObject({
      verdict: 'proven',
      secrets: ['FOR_CALL'],
      handed: ['FOR_CALL'],
      all_secrets: false,
      environments: [],
    });
    const told = await useOf(8, 'token-bo');
    expect(told).toMatchObject({ verdict: 'proven', secrets: ['FOR_CALL'], handed: null, all_secrets: null });
    expect(told).toMatchObject({ environments: null });
  });

  test('a secret lists the attempts that had it in reach, in any case', async () => {
    const of = async (secret: string, as?: string) =>
      ((await ask({ secret }, as)).body.uses as ReachedUse[]).map(({ run: { id } }) => id).sort();
    expect(await of('other')).toEqual([1, 2, 5, 7]);
    expect(await of('OTHER', 'token-bo')).toEqual([1, 2, 5]);
    expect(await of('HANDED')).toEqual([1]);
    expect(await of('*')).toEqual([2]);
    expect(await of('OF_HIDDEN', 'token-bo')).toEqual([]);
    expect((await ask({ secret: 'not a name' })).status).toBe(400);
  });

  test('section 1.16 (e): of what files say, names alone are stored', async () => {
    const logs = await store().exposure.logsOf([1, 2, 3, 4, 5, 6, 7, 8]);
    const files = await store().actionUses.actionFiles(
      [1, 2, 5].map((id) => shaOf(`head ${id}`)),
      6,
    );
    expect(JSON.stringify([logs, files])).toContain('HANDED');
    expect(JSON.stringify([logs, files, (await ask()).body])).not.toContain('planted');
  });

  test('who does not see a repository finds none of its secrets, in totals and files neither', async () => {
    const { secrets, totals } = (await ask({}, 'token-bo')).body;
    expect(JSON.stringify(secrets)).not.toMatch(/hidden/i);
    expect(totals.secrets_named).toBe(4);
    const { text } = await ask({ table: 'secrets', format: 'csv' }, 'token-bo');
    const [head, ...rows] = text.trimEnd().split('\r\n');
    expect(head).toBe('name,repositories,attempts,affected,handed,environments');
    expect(rows).toHaveLength(secrets.length);
    expect(text).not.toMatch(/hidden/i);
    const uses = await ask({ format: 'csv' });
    expect(uses.text.split('\r\n')[0]).toContain(
      'log_state,jobs,secrets,handed,all_secrets,environments,permissions,permissions_source,id_token,runner,log_public',
    );
    expect(uses.text).toContain('HANDED OTHER');
  });
});
