import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectProblem } from '../../api/endpoints.ts';
import { aDatabase } from '../../support/a-database.ts';
import type { Service } from '../../support/service.ts';
import { serviceOn } from '../workload/workload-world.ts';

interface Row {
  login: string;
  is_bot: boolean;
}

aDatabase((database) => {
  let service: Service;
  beforeAll(async () => {
    service = await serviceOn(await database.address(), { 'ana-old': 'ana' });
    for (const repo of ['web', 'api']) {
      const synced = await service.ask('POST', `/api/db/sync?owner=octo&repo=${repo}`, { as: 'token-ann' });
      expect(synced.status).toBe(200);
    }
  });
  afterAll(() => service.close());

  const ask = (path: string) => service.ask('GET', path, { as: 'token-ann' });
  const read = async (path: string) => {
    const { status, body } = await ask(path);
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  const contributors = '/api/codehost/repo-contributors?owner=octo&repo=web';
  const ofOrganization = '/api/codehost/org-contributors?org=octo';
  const open = '/api/codehost/open-pr-health?owner=octo&repo=api';
  const explain = '/api/explain?owner=octo&repo=web&days=30&metric=';

  test.each([contributors, `${contributors}&days=90`, ofOrganization, open, `${explain}prs_merged_total`])(
    'bots are in where %s does not say otherwise',
    async (path) => expect(await read(`${path}&bots=in`)).toEqual(await read(path)),
  );

  test.each([contributors, ofOrganization, open, `${explain}prs_merged_total`])(
    'bots are either in or out of %s',
    async (path) => {
      const answer = await ask(`${path}&bots=maybe`);
      expectProblem(answer, 400, 'invalid_request');
      expect(answer.body.error).toContain('bots is neither in nor out');
    },
  );

  test('without bots the people of a repository add up to what was merged', async () => {
    const [all, people] = await Promise.all([
      read(`${contributors}&days=30`),
      read(`${contributors}&days=30&bots=out`),
    ]);
    expect(all).toMatchObject({
      prs_merged_total: 4,
      prs_no_human_review: 2,
      bot_prs: { merged: 1, no_human_review: 1 },
    });
    expect(people).toMatchObject({
      prs_merged_total: 3,
      prs_human_reviewed: 2,
      prs_no_human_review: 1,
      reviewed_before_merge_pct: 67,
      bot_prs: { merged: 0, no_human_review: 0 },
      // Times and self-merges never counted them.
      median_hours_to_merge: all.median_hours_to_merge,
      median_hours_to_merge_including_bots: all.median_hours_to_merge,
      prs_self_merged: all.prs_self_merged,
      prs_opened_in_window: all.prs_opened_in_window - 1,
      // All were read.
      fetched_prs: 4,
      total_prs_analysed: 3,
      coverage: { complete: true, read: 4, expected: 4 },
    });
    expect(people.contributors).toEqual(all.contributors.filter(({ is_bot }: Row) => !is_bot));
  });

  test('without bots the last closed ones are those of people among the same 60', async () => {
    const [all, people] = await Promise.all([read(contributors), read(`${contributors}&bots=out`)]);
    expect(people.contributors).toEqual(all.contributors.filter(({ is_bot }: Row) => !is_bot));
    expect([people.prs_merged_total, people.fetched_prs]).toEqual([all.prs_merged_total - 1, all.fetched_prs]);
  });

  test('without bots an organization counts the people of its repositories', async () => {
    const [all, people] = await Promise.all([read(ofOrganization), read(`${ofOrganization}&bots=out`)]);
    expect(people.prs_merged_total).toBe(all.prs_merged_total - all.bot_prs.merged);
    expect(all.bot_prs.merged).toBeGreaterThan(0);
    expect(people.contributors.some(({ is_bot }: Row) => is_bot)).toBe(false);
    const merged = people.repositories.reduce((sum: number, one: { prs_merged: number }) => sum + one.prs_merged, 0);
    expect(merged).toBe(people.prs_merged_total);
  });

  test('without bots open pull requests are those of people, everywhere in the answer', async () => {
    const [all, people] = await Promise.all([read(open), read(`${open}&bots=out`)]);
    const own = all.open_prs.filter(({ is_bot }: Row) => !is_bot);
    expect(own).toHaveLength(all.open_prs.length - 1);
    expect(people).toMatchObject({
      open_prs: own,
      total_open: all.total_open - 1,
      fetched_prs: all.fetched_prs - 1,
      awaiting_review_count: all.awaiting_review_count - 1,
      abandon_rate: all.abandon_rate,
      coverage: all.coverage,
    });
    const ready = (body: typeof all) =>
      body.age_distribution.reduce((sum: number, one: { count: number }) => sum + one.count, 0);
    expect(ready(people)).toBe(ready(all) - 1);
    expect(people.concurrent_prs_by_author.some(({ is_bot }: Row) => is_bot)).toBe(false);
  });

  test.each(['prs_merged_total', 'reviewed_before_merge', 'first_pass_approval_rate', 'median_hours_to_merge'])(
    'the evidence of %s without bots has the value of the answer, and the bots among what is excluded',
    async (metric) => {
      const people = await read(`${contributors}&days=30&bots=out`);
      const shown = { reviewed_before_merge: people.reviewed_before_merge_pct }[metric] ?? people[metric];
      const { value, left_out, definition } = await read(`${explain}${metric}&bots=out`);
      expect(value).toBe(shown);
      expect(left_out.find(({ reason }: { reason: string }) => reason === 'by a bot')).toMatchObject({ count: 1 });
      expect(definition).toMatch(/excluding (those of )?bots|those of bots are excluded|of bots are excluded/);
    },
  );

  test('opened pull requests are explained as they are counted', async () => {
    const people = await read(`${contributors}&days=30&bots=out`);
    const { value, sample, definition } = await read(`${explain}prs_opened_in_window&bots=out`);
    expect([value, sample]).toEqual([people.prs_opened_in_window, people.prs_opened_in_window]);
    expect(definition).toContain('excluding those of bots');
  });

  test.each([`${contributors}&days=30`, ofOrganization, open])('the CSV of %s leaves them out too', async (path) => {
    const lines = async (query: string) => {
      const { status, text } = await ask(`${path}&format=csv${query}`);
      expect(status).toBe(200);
      return text.trim().split('\r\n');
    };
    const [all, people] = await Promise.all([lines(''), lines('&bots=out')]);
    expect(all.join()).toContain('dependabot');
    expect(people).toEqual(all.filter((line) => !line.includes('dependabot')));
  });
});
