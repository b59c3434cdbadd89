import { expect, test } from 'vitest';
import { Migration20261129182500_merge_queue_backfill } from '../../migrations/Migration20261129182500_merge_queue_backfill.ts';
import type { PullRequest } from '../../server/metrics/kernel/delivery-facts.ts';
import { syncPullRequests } from '../../server/sync/pull-requests.ts';
import { withDouble } from '../codehost/double.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { run } from '../store/world.ts';
import { eachDatabase } from '../support/database.ts';
import { day, hour } from './stage.ts';

eachDatabase((given) => {
  const platform = withDouble();

  test('pull requests that were stored without their merge queue are read once more where one was seen', async () => {
    const { store, database } = await given.openRaw();
    // The database tells when the reading begins, by its own clock.
    platform.advance(Date.now() - namedNow + hour);
    const { codehost, clock } = platform.as();
    const name = 'octo/queued';
    platform.double.addRepository({ name, facts: { id: 71_000 } });
    const repository = repositoryOf(platform.double.world, name).facts;
    const repoId = await store.repositories.track(repository, 'ann', clock.now());
    const mergedAt = Math.floor(clock.now() / 1000) * 1000 - 3 * day;
    platform.double.putPullRequest(name, {
      number: 1,
      createdAt: mergedAt - day,
      mergedAt,
      queueEvents: [
        { kind: 'added', at: mergedAt - hour, isByBot: false, reason: null, headSha: null },
        { kind: 'removed', at: mergedAt, isByBot: false, reason: 'merged', headSha: null },
      ],
    });
    const withoutQueues = (one: PullRequest): PullRequest => ({ ...one, mergeQueue: null });
    const endedPages: typeof codehost.pullRequests.endedPages = (of) => {
      const ask = codehost.pullRequests.endedPages(of);
      return async (after) => {
        const page = await ask(after);
        return page && { ...page, items: page.items.map(withoutQueues) };
      };
    };
    const earlier = { ...codehost, pullRequests: { ...codehost.pullRequests, endedPages } };
    const options = { store, clock, facts: store.facts, mayContinue: () => true };
    const sync = (by: typeof codehost) => syncPullRequests(repoId, repository, { ...options, codehost: by });
    const queues = async () =>
      (await store.facts.facts(repository, 'pull_requests', mergedAt - day)).map(
        ({ mergeQueue }) => mergeQueue?.events.length,
      );
    expect(await sync(earlier)).toMatchObject({ upserted: 1, complete: true });
    expect(await queues()).toEqual([undefined]);

    const backfill = async () => {
      const migration = new Migration20261129182500_merge_queue_backfill({} as never, {} as never);
      migration.up();
      for (const statement of migration.getQueries()) await database.query(String(statement));
    };
    await backfill();
    expect((await store.cursors.pullRequests.get(repoId))?.resume, 'no queue was seen').toBeNull();
    await store.runs.ingest(repoId, [run(5, { event: 'merge_group', createdAt: mergedAt })], {
      syncedAt: clock.now(),
    });
    await backfill();
    expect((await store.cursors.pullRequests.get(repoId))?.resume).toMatchObject({ after: null });
    expect(await sync(codehost)).toMatchObject({ upserted: 1, complete: true });
    expect(await queues()).toEqual([2]);
    expect((await store.cursors.pullRequests.get(repoId))?.resume).toBeNull();
  });
});
