import { describe, expect, test } from 'vitest';
import type { AgentRow } from '../../server/metrics/ai-authorship/agents.ts';
import type { AuthorshipClass } from '../../server/metrics/ai-authorship/classes.ts';
import { isOfMachine } from '../../server/metrics/ai-authorship/floors.ts';
import { openerReadBit } from '../../server/metrics/ai-authorship/mark-bits.ts';
import { createCalendar } from '../../server/metrics/people/workday-hours.ts';
import { type MarksSyncOptions, syncPullRequestMarks } from '../../server/sync/pull-request-marks.ts';
import { aCommit, anActor, type PullRequestParts } from '../codehost-double/delivery-builders.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { idOf } from '../codehost-double/wire.ts';
import { table } from '../metrics/ai-authorship/signs.ts';
import { aDatabase } from '../support/a-database.ts';
import { allowing, pullRequestStage } from './pull-request-stage.ts';
import { day, hour } from './stage.ts';

const secret = 'planted words of a message';
const at = namedNow - 3 * day;
const ann = anActor('ann');
const commitOf = (parts: Parameters<typeof aCommit>[3]) => aCommit(at, ann, parts?.message ?? secret, parts);
const claude = { name: 'Planted Name', email: 'noreply@anthropic.com' };
const cursorBot = { author: anActor('cursor[bot]'), authorEmail: '206951365+cursor[bot]@users.noreply.github.com' };

aDatabase((given) => {
  const stage = pullRequestStage(given);
  const { platform } = stage;

  const put = (parts: PullRequestParts) => platform.double.putPullRequest(stage.name, parts);
  const sync = (options: Partial<MarksSyncOptions> = {}) =>
    syncPullRequestMarks(stage.repoId, stage.repository.facts, {
      codehost: stage.client.codehost,
      clock: stage.client.clock,
      store: stage.store,
      mayContinue: () => true,
      table,
      version: 'v1',
      calendar: createCalendar('UTC'),
      mayReadOpener: async () => true,
      ...options,
    });
  const stored = async (): Promise<Row[]> => {
    const { rows } = await stage.store.queue.executeSql('select * from pr_marks where repo_id = $1 order by number', [
      stage.repoId,
    ]);
    return rows as Row[];
  };
  interface Row {
    number: number;
    class: AuthorshipClass;
    agent: string | null;
    kinds: number;
    table_version: string;
    created_month: string;
  }
  const classes = async () => Object.fromEntries((await stored()).map((row) => [row.number, row.class]));

  describe('a reading of marks', () => {
    test('reduces open, closed and merged pull requests to their marks, and keeps nothing else', async () => {
      const createdAt = namedNow - 4 * day;
      put({ number: 1, createdAt, author: anActor('dependabot[bot]'), mergedAt: namedNow - day, title: secret });
      put({ number: 2, createdAt, author: anActor('copilot-swe-agent[bot]') });
      put({ number: 3, createdAt, commits: [commitOf({}), commitOf({ sha: 'b'.repeat(40), coAuthors: [claude] })] });
      put({ number: 4, createdAt, commits: [commitOf(cursorBot)], closedAt: namedNow - day });
      put({ number: 5, createdAt, labels: ['AI-generated'] });
      put({ number: 6, createdAt, commits: [commitOf({ message: `${secret}\n\nMade-with: Cursor` })] });
      put({ number: 7, createdAt, headBranch: 'codex/fix-1' });
      put({ number: 8, createdAt: namedNow - 401 * day, labels: ['copilot'] });
      put({ number: 9, createdAt, commits: Array.from({ length: 5 }, (_, index) => commitOf(manyAuthors(index))) });
      expect(await sync()).toEqual({ complete: true, problem: null });
      expect(await classes()).toEqual({
        1: 'automation',
        2: 'agent_authored',
        3: 'ai_assisted',
        4: 'agent_authored',
        5: 'ai_assisted',
        6: 'ai_assisted',
        7: 'unmarked',
        9: 'unread',
      });
      expect((await stored()).filter(isOfMachine).map(({ number }) => number)).toEqual([1, 2]);
      const text = JSON.stringify(await stored());
      for (const planted of [secret, 'Planted Name', 'anthropic', 'ann', 'codex/fix-1'])
        expect(text).not.toContain(planted);
      expect((await stored())[0]).toMatchObject({ table_version: 'v1', created_month: '2026-11' });
      // The list, and the app of the one whose branch alone speaks for an agent.
      expect(stage.spent().requests).toBe(2);
    });

    test('keeps which merged ones revert or put right others, by number, and no word of them', async () => {
      const createdAt = namedNow - 4 * day;
      const mergeSha = 'c'.repeat(40);
      put({ number: 1, createdAt, mergedAt: namedNow - 3 * day, mergeSha });
      const revert = { createdAt, title: `Revert "${secret}"`, headBranch: 'undo' };
      put({
        number: 2,
        ...revert,
        mergedAt: namedNow - 2 * day,
        body: `${secret}\n\nThis reverts commit ${mergeSha}.`,
      });
      put({ number: 3, ...revert, mergedAt: namedNow - day, body: `Reverts ${stage.name}#2` });
      put({ number: 4, ...revert, body: `Reverts ${stage.name}#1` });
      put({ number: 5, createdAt, mergedAt: namedNow - day, labels: ['hotfix'], body: `${secret} #1, #5 and #99` });
      await sync();
      const links = await stage.store.pullRequestMarks.links(stage.repository.facts.id);
      expect(links.map(({ number, kind, target }) => `${number} ${kind} ${target}`).sort()).toEqual([
        '2 reverts 1',
        '3 reverts 2',
        '5 fixes 1',
        '5 fixes 99',
      ]);
      const { rows } = await stage.store.queue.executeSql('select * from pr_links');
      expect(JSON.stringify(rows)).not.toContain('planted');
      put({ number: 5, createdAt, updatedAt: namedNow, mergedAt: namedNow - day, labels: [], body: '#1' });
      await sync();
      expect(await stage.store.pullRequestMarks.links(stage.repository.facts.id)).toHaveLength(2);
      await stage.store.pullRequestMarks.forgetAll();
      expect((await stage.store.queue.executeSql('select from pr_links')).rows).toEqual([]);
    });

    test('reads 25 in a request, goes on where it was stopped, then only what changed', async () => {
      const window = { from: namedNow - 80 * day, to: namedNow - hour, first: 1 };
      platform.double.addPullRequests(stage.name, 60, window);
      expect(await sync(allowing(2))).toEqual({ complete: false, problem: null });
      expect(await stored()).toHaveLength(50);
      expect(await sync()).toEqual({ complete: true, problem: null });
      expect(await stored()).toHaveLength(60);
      expect(stage.spent().requests).toBe(3);
      platform.advance(2 * hour);
      put({ number: 900, createdAt: namedNow + hour, labels: ['copilot'] });
      await sync();
      expect(stage.spent().requests).toBe(1);
      expect(await classes()).toMatchObject({ 1: 'unmarked', 900: 'ai_assisted' });
    });

    test('marks anew by another table', async () => {
      put({ number: 1, labels: ['robot'] });
      await sync();
      expect(await classes()).toEqual({ 1: 'unmarked' });
      await sync({ table: { ...table, labels: ['robot'] }, version: 'v2' });
      expect(await classes()).toEqual({ 1: 'ai_assisted' });
      expect((await stored())[0]?.table_version).toBe('v2');
    });

    test('reads up to 250 commits, in pages of a hundred; beyond, a pull request without a mark is not read', async () => {
      const commits = (count: number) =>
        Array.from({ length: count }, (_, index) => aCommit(at + index * 1000, ann, `part ${index} of ${count}`));
      put({ number: 1, commits: commits(130) });
      put({ number: 2, commits: commits(260) });
      put({ number: 3, commits: [...commits(120), commitOf({ coAuthors: [claude] })] });
      await sync();
      expect(await classes()).toEqual({ 1: 'unmarked', 2: 'unread', 3: 'ai_assisted' });
      expect(stage.spent().requests).toBe(1 + 1 + 3 + 1);
    });

    test('vectors 7 and 8: asks once of a branch alone through which app it was opened, while the night allows it', async () => {
      put({ number: 7, headBranch: 'codex/fix-1' });
      put({ number: 8, headBranch: 'codex/fix-1', app: 'chatgpt-codex-connector' });
      put({ number: 9, headBranch: 'codex/fix-2', app: 'chatgpt-codex-connector' });
      put({ number: 10, headBranch: 'usual' });
      const asked = () => platform.double.requests.filter(({ path }) => /\/issues\/\d+$/.test(path)).length;
      let left = 2;
      expect(await sync({ mayReadOpener: async () => left-- > 0 })).toEqual({ complete: true, problem: null });
      const opened = { 8: 'agent_authored', 9: 'agent_authored', 10: 'unmarked' };
      expect(await classes(), 'not read until it was asked').toEqual({ 7: 'unread', ...opened });
      expect(asked()).toBe(2);
      await sync();
      expect(await classes()).toEqual({ 7: 'unmarked', ...opened });
      await sync();
      expect(asked(), 'each once').toBe(3);
      expect((await stored()).map(({ number, agent, kinds }) => [number, agent, kinds])).toEqual([
        [7, null, 128 + openerReadBit],
        [8, 'Codex', 2 + openerReadBit],
        [9, 'Codex', 2 + openerReadBit],
        [10, null, 0],
      ]);
    });

    test('keeps through which app one was opened when it changes, and asks again by another table alone', async () => {
      const opened = { headBranch: 'codex/fix-1', app: 'chatgpt-codex-connector' };
      put({ number: 1, ...opened });
      put({ number: 2, headBranch: 'codex/fix-2' });
      await sync();
      platform.advance(day);
      put({ number: 1, ...opened, updatedAt: namedNow + day, labels: ['copilot'] });
      put({ number: 2, headBranch: 'codex/fix-2', updatedAt: namedNow + day });
      stage.spent();
      await sync({ mayReadOpener: async () => false });
      expect(stage.spent().requests, 'the list alone').toBe(1);
      expect(await classes()).toEqual({ 1: 'agent_authored', 2: 'unmarked' });
      expect((await stored())[0]).toMatchObject({ agent: 'Codex', kinds: 2 + 32 + openerReadBit });
      await sync({ mayReadOpener: async () => false, version: 'v2' });
      expect(await classes()).toEqual({ 1: 'ai_assisted', 2: 'unread' });
    });

    test('asks for the app also where a weaker mark is, by the date of the pull request, and once where it is gone', async () => {
      const row = { ...(table.agents[0] as AgentRow), agent: 'Own', value: 'own-app', validFrom: '2026-11-15' };
      const [app, branch] = [
        { ...row, kind: 'app' as const },
        { ...row, kind: 'branch' as const, value: 'own/', validFrom: null },
      ];
      const own = { table: { ...table, agents: [...table.agents, app, branch] } };
      const opened = { headBranch: 'own/fix', app: 'own-app' };
      put({ number: 1, ...opened, labels: ['copilot'], createdAt: Date.parse('2026-11-20T08:00:00Z') });
      put({ number: 2, ...opened, createdAt: Date.parse('2026-11-10T08:00:00Z') });
      put({ number: 3, headBranch: 'own/fix', labels: ['copilot'] });
      put({ number: 4, headBranch: 'own/fix' });
      platform.double.fault({ path: /issues\/4$/, times: 1 }, { kind: 'status', status: 404 });
      expect(await sync(own)).toEqual({ complete: true, problem: null });
      expect(await classes()).toEqual({ 1: 'agent_authored', 2: 'unmarked', 3: 'ai_assisted', 4: 'unread' });
      stage.spent();
      await sync(own);
      expect(stage.spent().requests, 'the list alone').toBe(1);
    });

    test('knows an agent of one’s own by the id of its account', async () => {
      put({ number: 1, author: anActor('own-robot[bot]') });
      const row = { ...(table.agents[0] as AgentRow), agent: 'Own', value: String(idOf('own-robot[bot]')) };
      await sync({ table: { ...table, agents: [row] } });
      expect(await classes()).toEqual({ 1: 'agent_authored' });
    });

    test('does not go on below a page of which something could not be read', async () => {
      put({ number: 1 });
      for (const field of ['PullRequest.author', 'GitActor.email']) {
        platform.double.fault(
          { path: '/graphql', times: 1 },
          { kind: 'failing_field', field, type: 'SERVICE_UNAVAILABLE' },
        );
        const { complete, problem } = await sync();
        expect([field, complete, problem?.code]).toEqual([field, false, 'upstream_unavailable']);
        expect(await stored()).toEqual([]);
      }
      expect(await sync()).toEqual({ complete: true, problem: null });
      expect(await classes()).toEqual({ 1: 'unmarked' });
    });

    test('is forgotten with how far it was', async () => {
      put({ number: 1 });
      await sync();
      await stage.store.pullRequestMarks.forgetAll();
      expect(await stored()).toEqual([]);
      expect(await stage.store.pullRequestMarks.cursor(stage.repoId)).toBeNull();
      await sync();
      expect(await classes()).toEqual({ 1: 'unmarked' });
    });
  });
});

/** The last of them names more people than are read. */
const manyAuthors = (index: number) => ({
  sha: String(index).repeat(40),
  coAuthors: Array.from({ length: index + 1 }, (_, other) => ({ name: 'Bo', email: `bo${other}@example.com` })),
});
