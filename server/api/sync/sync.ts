import { z } from 'zod';
import type { Context, Services } from '../../access/context.ts';
import { alsoByToken, feature } from '../../access/rules.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { instant } from '../../reports/kernel/instants.ts';
import { repositoriesToSync } from '../../reports/sync/scope.ts';
import { type SyncSteps, syncRepositories } from '../../sync/sync-repositories.ts';
import { operation, perMinute } from '../operation.ts';
import { org, owner, repo } from '../parameters.ts';
import { type Domain, toAnswer } from '../wire.ts';
import { beginSync } from './started.ts';

const budgetMs = 50_000;

/**
 * For so long after a partial synchronization the next one of the same account goes on with it, is not counted, and
 * leaves out what was read to its end.
 */
const continuationMs = 120_000;

/** What a synchronization of one repository came to. */
export const SyncedRepository = z.object({
  repo: z.string(),
  status: z.enum(['ok', 'partial', 'locked', 'error']),
  synced: z.int().meta({ description: 'Runs inserted or actually changed; the attempts of a run count once.' }),
  unread_runs: z.int().meta({
    description: 'Runs that GitHub listed with a field that could not be read: they are not stored, and count nowhere.',
  }),
  total_in_db: z.int().meta({ description: 'Stored runs of the repository, counted in the same way.' }),
  latest_run_id: z.int().nullable(),
  alerts_fired: z.int(),
  synced_through: instant.nullable(),
  unreachable_since: instant
    .optional()
    .meta({ description: 'Since when GitHub reports the repository as missing or blocked.' }),
  error: z.string().optional(),
  code: z.string().optional(),
});

export const SyncReport = z
  .object({
    ok: z.literal(true),
    partial: z.boolean().meta({
      description:
        'true while anything is left to read. A session’s synchronization goes on in the background unless SCHEDULER=off; a script calls again.',
    }),
    repos_total: z.int().meta({ description: 'Without those that the call which this one continues has read.' }),
    repos_synced: z.int(),
    repos_failed: z.int(),
    repos_skipped: z.int(),
    repos_remaining: z.int(),
    repos_left_out: z.int().nullable().meta({
      description:
        'Repositories of the scope that were not chosen: beyond the 200 of an organization, or, without a scope, pushed to in the last 90 days and beyond the 50 of a first synchronization; null where not all repositories could be listed.',
    }),
    runs_upserted: z.int(),
    alerts_fired: z.int(),
    duration_ms: z.int(),
    results: z.array(SyncedRepository),
  })
  .meta({ id: 'SyncReport' });

const syncLimit = perMinute('db-sync', 6, {
  per: 'account',
  counts: 'after',
  applies: async (context) => (await findContinued(context.services, (await context.actor()).id)) === null,
});

const SyncInput = z
  .object({
    org: org.optional(),
    owner: owner.optional(),
    repo: repo.optional(),
  })
  .refine(({ owner, repo }) => (owner === undefined) === (repo === undefined), {
    path: ['repo'],
    message: 'goes together with owner',
  })
  .refine(({ org, owner }) => org === undefined || owner === undefined, {
    path: ['org'],
    message: 'does not go together with owner',
  });

export const syncNow = operation({
  method: 'POST',
  path: '/api/db/sync',
  summary: 'Bring workflow runs into the database; continues where the last call stopped',
  access: alsoByToken(feature('dataSync')),
  failures: ['upstream_unavailable'],
  limit: syncLimit,
  input: SyncInput,
  query: ['org', 'owner', 'repo'],
  output: SyncReport,
  run: (input, context) => sync(input, context),
});

/**
 * The same for a page: it is answered as soon as the synchronization has begun, whose progress the page shows. One that
 * is running for the same account and scope is not begun again.
 */
export const startSync = operation({
  method: 'POST',
  path: '/api/db/sync',
  summary: 'Start a synchronization that a page follows',
  access: syncNow.access,
  limit: syncLimit,
  input: SyncInput,
  output: z.object({ started: z.boolean() }),
  run: async (input, context) => ({
    started: await beginSync(context, input, async (report) =>
      toAnswer(SyncReport, await sync(input, context, report)),
    ),
  }),
});

const continuation = (id: number) => `sync-continues:${id}`;

/** A synchronization that was partial: what it is about, null where nothing is left, and which repositories are read. */
interface Continued {
  scope: string | null;
  done: string[];
}

/** The last synchronization of an account where that was partial, in whichever process. */
async function findContinued({ answers }: Services, id: number): Promise<Continued | null> {
  const { value } = (await answers.get<Continued>(continuation(id))) ?? {};
  return value?.scope ? value : null;
}

/** What was remembered before is replaced, also by that nothing is left. */
const remember = ({ answers, clock }: Services, id: number, continued: Continued) =>
  answers.put(continuation(id), continued, clock.now(), clock.now() + continuationMs);

const toScope = ({ org = '', owner = '', repo = '' }: z.output<typeof SyncInput>) =>
  `${org}:${owner}/${repo}`.toLowerCase();

const nameOf = ({ owner, repo }: RepositoryName) => `${owner}/${repo}`;

async function sync(
  input: z.output<typeof SyncInput>,
  context: Context,
  report?: (steps: SyncSteps) => void,
): Promise<Domain<typeof SyncReport>> {
  const { store, services } = context;
  const [codehost, { id, login }] = await Promise.all([context.codehost(), context.actor()]);
  const scope = toScope(input);
  const before = await findContinued(services, id);
  // Read again at each call, those at the front would leave no time for the others.
  const done = before?.scope === scope ? before.done : [];
  const { repositories: chosen, leftOut } = await repositoriesToSync(input, context);
  const repositories = chosen.filter((one) => !done.includes(nameOf(one)));
  const { results, remaining, partial, quotaSpent, durationMs } = await syncRepositories(services, {
    codehost,
    store,
    repositories,
    trackedBy: login,
    source: 'sync',
    budgetMs,
    signal: services.stopping,
    ...(report && { report }),
  });
  const read = results.flatMap(({ repo, status }) => (status === 'ok' ? [repo] : []));
  await remember(services, id, { scope: partial && !quotaSpent ? scope : null, done: [...done, ...read] });
  const ended = results.filter(({ status }) => status !== 'partial').map(({ repo }) => repo);
  const left = repositories.filter((one) => !ended.includes(nameOf(one)));
  await services.syncContinuation.begin(context, repositories, left);
  const tally = (...statuses: string[]) => results.filter((one) => statuses.includes(one.status)).length;
  return {
    ok: true,
    partial,
    reposTotal: repositories.length,
    reposSynced: tally('ok', 'partial'),
    reposFailed: tally('error'),
    reposSkipped: tally('locked'),
    reposRemaining: remaining,
    reposLeftOut: leftOut,
    runsUpserted: results.reduce((sum, one) => sum + one.synced, 0),
    alertsFired: results.reduce((sum, one) => sum + one.alertsFired, 0),
    durationMs,
    results,
  };
}
