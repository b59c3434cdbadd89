import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { peopleIn } from '../../identity/people.ts';
import type { Instant, Repository, RepositoryName } from '../../metrics/kernel/facts.ts';
import { teamRuns } from '../../metrics/runs/team-runs.ts';
import type { MeasuredRun } from '../../metrics/runs/workflow-runs.ts';
import { withRequests } from '../../platform/stored-only.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { noteCanonicalName, noteListing } from '../kernel/notes.ts';

const ms = z.int().nullable();

const TeamRunsItem = z
  .object({
    login: z.string(),
    avatar_url: z.string(),
    is_bot: z.boolean(),
    linked_logins: z.array(z.string()),
    total_runs: z.int().meta({ description: 'All completed ones, also those that neither passed nor failed.' }),
    success: z.int(),
    failure: z.int(),
    success_rate: z.int().nullable().meta({ description: 'Of those that passed or failed.' }),
    avg_duration_ms: ms,
    median_duration_ms: ms,
    avg_queue_wait_ms: ms,
    last_run_at: instant.nullable(),
    busiest_hour: z.int().nullable(),
    activity_by_dow: z.array(z.int()).meta({ description: 'Runs by weekday of creation, 0 = Sunday.' }),
    activity_by_hour: z.array(z.int()).meta({ description: 'Runs by hour of creation.' }),
    reruns_triggered: z.int().meta({ description: 'Runs whose latest attempt this person started again.' }),
  })
  .meta({ id: 'TeamRunsItem' });

export const TeamRunsReport = z
  .object({
    contributors: z.array(TeamRunsItem).meta({ description: 'Who caused the first attempt; most runs first.' }),
    top_contributor: z.string().nullable().meta({ description: 'The person with most runs.' }),
    most_reliable: z.string().nullable().meta({
      description: 'The person with the highest success rate over at least five runs that passed or failed.',
    }),
    total_runs: z.int().meta({
      description: 'The newest completed runs, `per_page` of them or all there are; every figure is over these.',
    }),
    unattributed_runs: z.int().meta({ description: 'Of these, scheduled ones and those of deleted accounts.' }),
    period_days: z.int().meta({ description: 'From the oldest of them until now, at least 1.' }),
    timezone: z.string(),
    partial: z.boolean().meta({ description: 'true when fewer than `per_page` were read though there are more.' }),
    ...provenance,
  })
  .meta({ id: 'TeamRunsReport' });

interface TeamRunsInput extends RepositoryName {
  per_page: number;
}

/** The newest completed runs of a repository by who caused them. */
export async function teamRunsReport(
  { owner, repo, per_page: count }: TeamRunsInput,
  context: Context,
  reply: Reply,
): Promise<Domain<typeof TeamRunsReport>> {
  const { services } = context;
  const codehost = await context.codehost();
  // It proves that the caller may see what is stored.
  const repository = await withRequests(() => codehost.repositories.get({ owner, repo }));
  const [calendar, people, sample] = await Promise.all([
    teamCalendar(context),
    peopleIn(services),
    stored(repository, count, context).then((found) => found ?? live(repository, count, context)),
  ]);
  noteCanonicalName(reply, codehost, { owner, repo });
  const { runs, partial, stale, asOf, source } = sample;
  noteListing(reply, { partial, stale, asOf });
  return {
    ...teamRuns(runs, { now: services.clock.now(), calendar, people }),
    timezone: calendar.timezone,
    partial,
    generatedAt: asOf,
    dataSource: source,
  };
}

interface RunSample {
  runs: MeasuredRun[];
  partial: boolean;
  stale: boolean;
  asOf: Instant;
  source: 'live' | 'database';
}

/** Stored runs that were synchronized more recently than this need no request. */
const freshMs = 300_000;

async function stored(repository: Repository, count: number, { services }: Context): Promise<RunSample | null> {
  const { store, clock } = services;
  const known = await store?.repositories.find(repository);
  if (!store || !known) return null;
  const cursor = await store.cursors.get(known.id);
  if (!cursor?.syncedThrough || cursor.syncedThrough < clock.now() - freshMs) return null;
  const runs = await store.runs.completed(known.id, count);
  if (runs.length < count && !isComplete(cursor, repository)) return null;
  return { runs, partial: false, stale: false, asOf: cursor.syncedThrough, source: 'database' };
}

/** Whether the store reaches back to when the repository was made, so that the platform has no older runs. */
const isComplete = ({ backfilledTo }: { backfilledTo: Instant | null }, { createdAt }: Repository) =>
  backfilledTo !== null && createdAt !== null && backfilledTo <= createdAt;

async function live(name: RepositoryName, count: number, context: Context): Promise<RunSample> {
  const { items, partial, stale, asOf } = await (await context.codehost()).runs.completed(name);
  return { runs: items.slice(0, count), partial: partial && items.length < count, stale, asOf, source: 'live' };
}
