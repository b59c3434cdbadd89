import { beforeAll, expect, test } from 'vitest';
import { storedService } from '../../api/stored.ts';
import { aCommit, aFile } from '../../codehost-double/delivery-builders.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { hour } from '../../metrics/worlds.ts';
import { keepMerged } from '../../store/stored-verdicts.ts';
import { repository } from '../../store/world.ts';
import { aDatabase } from '../../support/a-database.ts';
import { advised, settledPlan, storeAdvised, workflowText } from './advised-world.ts';
import { file } from './opened-pull-requests.ts';

const place = 'owner=octo&repo=advised';
/** What somebody wrote, which is not what was recommended. */
const byHand = workflowText.replace('jobs:\n', 'concurrency:\n  group: ours\n  cancel-in-progress: true\njobs:\n');

aDatabase((database) => {
  const visit = storedService(database, {});
  let viewer = 'token-ann';
  const judge = () => settledPlan(visit.service, 'org=octo', viewer);
  const results = async () =>
    (await visit.service.ask('GET', `/api/advisor/results?${place}`, { as: viewer })).body.rows;

  /** Somebody pushes this text to the default branch. */
  function push(text: string, message: string) {
    const world = repositoryOf(visit.service.double.world, 'octo/advised');
    const commit = aCommit(visit.service.clock.now(), null, message, { files: [aFile(file)] });
    world.files = new Map([[file, text]]);
    world.commits.push(commit);
    return commit;
  }

  async function nextDay() {
    visit.service.clock.advance(27 * hour);
    await judge();
  }

  beforeAll(async () => {
    await storeAdvised(visit.service);
    await judge();
  });

  test('a file that is changed otherwise has no change that was recommended', async () => {
    push(workflowText.replace('shellcheck', 'shfmt -d'), 'Check more');
    await nextDay();
    expect(await results()).toEqual([]);
  });

  test('one that was made since a plan of more than a week ago is not dated', async () => {
    push(byHand, 'Cancel older runs');
    visit.service.clock.advance(8 * 24 * hour);
    // The session of the other has ended.
    viewer = 'token-bo';
    await judge();
    expect(await results()).toEqual([]);
    push(workflowText, 'Cancel nothing');
    await nextDay();
  });

  /** A pull request from here of the same recommendation, which was merged before the last plan. */
  async function mergeLongAgo() {
    const { store } = visit.service.app.services;
    const plan = (await store?.advisorTotals.ofTracked([advised.id]))?.get(advised.id)?.plan;
    const change = plan?.rows.find(({ proposed }) => proposed?.kind === 'ADV-01')?.proposed;
    if (!store || !change) throw new Error('The change is not recommended.');
    const known = { ...repository(advised.id, 'advised'), owner: 'octo' };
    await keepMerged(store, known, { change, mergedAt: visit.service.clock.now() - 20 * 24 * hour });
  }

  test('a recommended change that somebody pushed is followed, with its commit', async () => {
    await mergeLongAgo();
    const { sha } = push(byHand, 'Cancel older runs');
    const pushedAt = visit.service.clock.now();
    await nextDay();
    const rows = await results();
    expect(rows).toMatchObject([
      {
        kind: 'ADV-01',
        state: 'waiting',
        applied_by: 'other',
        pull_request: null,
        commit: { sha, html_url: expect.stringContaining(`/octo/advised/commit/${sha}`) },
        merged_at: new Date(pushedAt).toISOString(),
        promise: { low: expect.any(Number), level: 80 },
      },
    ]);
    const query = `${place}&id=${rows[0].id}`;
    const { body } = await visit.service.ask('GET', `/api/advisor/verdict?${query}`, { as: viewer });
    expect(body.verdict).toMatchObject({
      applied_by: 'other',
      merge_commit: sha,
      before: { units: expect.any(Number) },
    });
    const csv = await visit.service.ask('GET', `/api/advisor/results?${place}&format=csv`, { as: viewer });
    expect(csv.text).toContain(`/commit/${sha}`);
  });

  test('it is begun once', async () => {
    const before = await results();
    await nextDay();
    expect(await results()).toEqual(before);
  });
});
