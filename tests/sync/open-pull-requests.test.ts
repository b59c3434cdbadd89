import { expect, test } from 'vitest';
import { readOpenPullRequests, storeOpenPullRequests } from '../../server/facts/open-pull-requests.ts';
import { anActor } from '../codehost-double/delivery-builders.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { aDatabase } from '../support/a-database.ts';
import { pullRequestStage } from './pull-request-stage.ts';
import { day, hour, minute } from './stage.ts';

aDatabase((given) => {
  const stage = pullRequestStage(given);
  const { platform } = stage;
  const read = () =>
    storeOpenPullRequests(stage.repoId, stage.repository.facts, {
      codehost: stage.client.codehost,
      store: stage.store,
    });
  const stored = () => readOpenPullRequests(stage.repoId, stage.store, stage.client.clock.now());
  const numbers = async () => (await stored())?.items.map(({ number }) => number);
  const open = (number: number) => platform.double.putPullRequest(stage.name, { number, createdAt: namedNow - day });

  test('open pull requests are stored with their reviews and without titles, in the place of those before', async () => {
    expect(await stored(), 'never read').toBeNull();
    open(1);
    platform.double.addReview(stage.name, 1, { reviewer: anActor('bo'), state: 'commented', submittedAt: namedNow });
    expect(await read()).toBeNull();
    const [first] = (await stored())?.items ?? [];
    expect(await stored()).toMatchObject({ complete: true, asOf: stage.client.clock.now() });
    expect(first).toMatchObject({ number: 1, title: null, state: 'open', reviews: [{ state: 'commented' }] });
    platform.double.mergePullRequest(stage.name, 1, { at: namedNow + hour });
    open(2);
    platform.advance(2 * hour);
    expect(await read()).toBeNull();
    expect(await numbers()).toEqual([2]);
  });

  test('what the platform refuses is reported; what was read before is believed for a day and a half', async () => {
    open(1);
    await read();
    platform.advance(35 * hour);
    platform.double.fault({ path: '/graphql', times: 9 }, { kind: 'status', status: 403 });
    expect(await read()).toMatchObject({ code: 'upstream_forbidden' });
    expect(await numbers()).toEqual([1]);
    platform.advance(2 * hour);
    expect(await stored()).toBeNull();
  });

  test('what was read shortly before is read again, and an older answer counts as none', async () => {
    open(1);
    await read();
    open(2);
    platform.advance(minute);
    expect(await read()).toBeNull();
    expect(await numbers()).toEqual([1, 2]);
    const before = await stored();
    open(3);
    platform.advance(hour);
    platform.double.fault({ path: '/graphql', times: 9 }, { kind: 'status', status: 502 });
    expect(await read()).toMatchObject({ code: 'upstream_unavailable' });
    expect(await stored()).toEqual(before);
  });

  test('more than can be read are not called complete', async () => {
    for (let number = 1; number <= 310; number++) open(number);
    await read();
    expect((await stored())?.items).toHaveLength(300);
    expect(await stored()).toMatchObject({ complete: false });
  });
});
