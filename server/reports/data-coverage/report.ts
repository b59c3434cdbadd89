import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { dayText } from '../../domain/day-text.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import type { Env } from '../../platform/env.ts';
import { hostName } from '../../platform/host-name.ts';
import { readHistory } from '../history/source.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { noteCanonicalName } from '../kernel/notes.ts';
import { listVisibleRepositories, visibleRepository } from '../repositories/visibility.ts';
import { getTitle, listReadings } from './readings.ts';
import { type CollectionReport, type Filling, type Reading, resources } from './schema.ts';
import { mergedReachMs, type StatusScope } from './status.ts';

interface CollectionInput {
  owner: string;
  repo?: string | undefined;
  limit: number;
  offset: number;
}

/**
 * What has been read of a repository, or of the known ones of an owner that the caller's token can see, and what not.
 * One that nothing is known of has eight readings that never took place.
 */
export async function collectionReport(
  { owner, repo, limit, offset }: CollectionInput,
  context: Context,
  reply: Reply,
): Promise<Domain<typeof CollectionReport>> {
  const { collection } = await readHistory(context);
  const { env, clock } = context.services;
  const calendar = await teamCalendar(context);
  const visible = await listVisible({ owner, repo }, context);
  if (repo) noteCanonicalName(reply, await context.codehost(), { owner, repo });
  const by: StatusScope = {
    runsStoredSince: clock.now() - env.RETENTION_RUN_DAYS * dayMs,
    mergedSince: clock.now() - mergedReachMs,
    day: (at) => dayText(calendar.getDay(at)),
    host: hostName(env),
  };
  const ids = visible.items.map(({ id }) => id);
  const known = await collection.of(ids, by.mergedSince);
  const open = context.isDemo ? [] : openWays(env);
  const readings = known.map((one) => listReadings(`${one.owner}/${one.repo}`, one, by, open));
  const [alone] = repo && known.length === 0 ? visible.items : [];
  if (alone) readings.push(listReadings(`${alone.owner}/${alone.repo}`, null, by, open));
  return {
    owner,
    repo: repo ?? null,
    readings: readings.slice(offset, offset + limit).flat(),
    reposKnown: known.length,
    reposVisible: visible.partial ? null : visible.items.length,
    limit,
    offset,
    summary: summarize(readings.flat()),
    timezone: calendar.timezone,
  };
}

async function listVisible({ owner, repo }: Pick<CollectionInput, 'owner' | 'repo'>, context: Context) {
  if (!repo) return listVisibleRepositories(owner, context);
  return { items: [await visibleRepository({ owner, repo }, context)], partial: false };
}

/** The ways to fill the database that this installation is set up for. */
function openWays(env: Env): Filling[] {
  const isTimed = env.SCHEDULER === 'internal' || env.CRON_SECRET !== undefined;
  return [
    'sync_now',
    'page',
    ...(env.CODEHOST_TOKEN !== undefined && isTimed ? ['nightly' as const] : []),
    ...(env.CODEHOST_WEBHOOK_SECRET !== undefined ? ['webhook' as const] : []),
  ];
}

/** Each kind over all repositories; read up to the earliest of them. */
function summarize(readings: readonly Domain<typeof Reading>[]) {
  return resources.map((resource) => {
    const those = readings.filter((one) => one.resource === resource);
    const many = (state: (typeof those)[number]['state']) => those.filter((one) => one.state === state).length;
    const through = those.flatMap((one) => one.through ?? []);
    return {
      resource,
      title: getTitle(resource),
      complete: many('complete'),
      partial: many('partial'),
      never: many('never'),
      unreachable: many('unreachable'),
      through: through.length === 0 ? null : Math.min(...through),
    };
  });
}
