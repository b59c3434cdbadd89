import type { WorkflowJob, WorkflowRun } from '../../server/metrics/kernel/facts.ts';
import { sealHeaders } from '../../server/otlp/destination.ts';
import { exportSpans } from '../../server/otlp/export.ts';
import { readEnv } from '../../server/platform/env.ts';
import { createLog } from '../../server/platform/log.ts';
import type { OtlpOptions } from '../../server/store/entities/otlp.ts';
import type { Store } from '../../server/store/orm.ts';
import { minute, noon, repository, run } from '../store/world.ts';
import { openReceiver, type Receiver } from '../support/otlp-receiver.ts';
import { movableClock } from '../support/service.ts';
import { job, step } from './facts.ts';

export const env = readEnv({
  NODE_ENV: 'test',
  CODEHOST_WEB_URL: 'https://codehost.test',
  SESSION_SECRET: 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo',
  OTLP_ALLOWED_HOSTS: '127.0.0.1,localhost',
});

export const by = { actor: { id: 1, login: 'ann' }, requestId: null, now: noon };

export const usual: OtlpOptions = {
  protocol: 'http/protobuf',
  compression: 'gzip',
  owners: [],
  repos: [],
  workflows: [],
  only_default_branch: false,
  sample_ratio: 1,
  include_actor: false,
  service_name: '{owner}/{repo}',
  fetch_jobs: true,
  parallel: 1,
  host: 'codehost.test',
};

export interface Stage {
  store: Store;
  clock: ReturnType<typeof movableClock>;
  receiver: Receiver;
  /** The number of the destination. */
  id: number;
  /** The number of the repository in the database. */
  repoId: number;
  /** Exports until nothing is left that is due; answers how many spans were accepted. */
  send(): Promise<number>;
  /** Stores runs as if they were read just now. */
  take(...runs: WorkflowRun[]): Promise<unknown>;
  /** Stores all jobs of the first attempt of a run. */
  takeJobs(runId: number, jobs: WorkflowJob[], attempt?: number): Promise<void>;
}

/** A store with a repository, and a receiver that is a destination. */
export async function openStage(store: Store, options: Partial<OtlpOptions> = {}): Promise<Stage> {
  const clock = movableClock(noon + 20 * minute);
  const receiver = await openReceiver();
  const repoId = await store.repositories.track(repository(1), 'ann', noon);
  const id = await saveDestination(store, receiver, options);
  const services = { store, env, clock, log: createLog('silent') };
  return {
    store,
    clock,
    receiver,
    id,
    repoId,
    send: () => exportSpans(services, () => true),
    take: (...runs) => store.runs.ingest(repoId, runs, { syncedAt: clock.now() }),
    takeJobs: (runId, jobs, attempt = 1) =>
      store.jobs.attempts.store(repository(1), [{ runId, attempt, detail: 'full', jobs }], clock.now()),
  };
}

export async function saveDestination(store: Store, receiver: Receiver, options: Partial<OtlpOptions> = {}) {
  const headers = { sealed: sealHeaders(env, receiver.url, { 'x-key': 'secret-value' }), names: ['x-key'] };
  const saved = {
    name: 'Collector',
    endpoint: receiver.url,
    enabled: true,
    options: { ...usual, ...options },
    headers,
  };
  return (await store.otlpDestinations.create(saved, 5, by)) as number;
}

/** A job of a run with two steps of one name, and its wait. */
export const jobOf = (runId: number, id = runId * 10, attempt = 1): WorkflowJob => {
  const { detail: _, ...rest } = job;
  const startedAt = noon + 2 * minute;
  const steps = [1, 2].map((number) => ({ ...step, number, startedAt, completedAt: startedAt + minute }));
  return { ...rest, id, runId, attempt, createdAt: noon + minute, startedAt, completedAt: noon + 9 * minute, steps };
};

/** A store whose process dies at one of its calls: before it, or once the database has done it. */
export function dying(store: Store, calls: number, isBefore: boolean) {
  let left = calls;
  const wrap = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get:
        (target, name) =>
        async (...given: unknown[]) => {
          const call = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>;
          left -= 1;
          if (left < 0 || (left === 0 && isBefore)) throw new Error('killed');
          const result = await call(...given);
          if (left === 0) throw new Error('killed');
          return result;
        },
    });
  const { otlpDestinations, otlpOutbox, otlpBackfills, sharedCounters } = store;
  return {
    sharedCounters,
    otlpDestinations: wrap(otlpDestinations),
    otlpOutbox: wrap(otlpOutbox),
    otlpBackfills: wrap(otlpBackfills),
  };
}

export { minute, noon, run };
