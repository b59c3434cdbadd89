import { beforeAll, describe, expect, test } from 'vitest';
import { commitFacts } from '../../../jobs/commit-facts.ts';
import { prFacts } from '../../../jobs/pr-facts.ts';
import { runJob } from '../../../jobs/run-job.ts';
import { aiAuthorship } from '../../../server/settings/ai-authorship.ts';
import { storedService } from '../../api/stored.ts';
import { aCommit, anActor } from '../../codehost-double/delivery-builders.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { aDatabase } from '../../support/a-database.ts';

const settings = '/api/settings/ai-authorship';
const month = 'from=2026-10&to=2026-10';
const hour = 3_600_000;

aDatabase((database) => {
  describe('AI-authored pull requests', () => {
    const visit = storedService(database, { CODEHOST_TOKEN: 'token-ann' });
    const ask = (path: string, as = 'token-ann') => visit.service.ask('GET', `/api/ai-authorship/${path}`, { as });
    const save = (changed: object) =>
      visit.service.ask('PUT', settings, { as: 'token-ann', body: { ...aiAuthorship.fallback, ...changed } });
    const night = async () => {
      const given = {
        slot: `night ${visit.service.clock.now()}`,
        trigger: 'http' as const,
        stopping: new AbortController().signal,
      };
      const { services } = visit.service.app;
      expect(await runJob(prFacts, services, given)).toMatchObject({ status: 'done' });
      expect(await runJob(commitFacts, services, given)).toMatchObject({ status: 'done' });
      visit.service.clock.advance(24 * hour);
    };
    const store = () => {
      const { store: found } = visit.service.app.services;
      if (!found) throw new Error('no store');
      return found;
    };

    beforeAll(async () => {
      const { double } = visit.service;
      double.addRepository({ name: 'octo/marked', facts: { id: 77_001 } });
      const put = (repo: string, number: number, author: string, coAuthors: { name: string; email: string }[] = []) => {
        const at = namedNow - 40 * 24 * hour - (number % 12) * hour;
        const commits = [aCommit(at - hour, anActor(author), `Planted subject ${repo} ${number}`, { coAuthors })];
        double.putPullRequest(repo, { number, author: anActor(author), createdAt: at - hour, mergedAt: at, commits });
      };
      const claude = [{ name: 'Planted Name', email: 'noreply@anthropic.com' }];
      const people = ['ana', 'bea', 'cy', 'dan'];
      for (let number = 1; number <= 40; number++) put('octo/marked', number, people[number % 4] ?? '');
      for (let number = 41; number <= 60; number++) put('octo/marked', number, 'copilot-swe-agent[bot]');
      for (let number = 61; number <= 80; number++) put('octo/marked', number, people[number % 4] ?? '', claude);
      for (let number = 501; number <= 520; number++) put('octo/secret', number, 'eve', number < 511 ? claude : []);
      for (const name of ['octo/marked', 'octo/secret'])
        await store().repositories.track(repositoryOf(double.world, name).facts, 'ann', namedNow);
    });

    test('are off until an administrator switches it on, and nothing is read for them', async () => {
      await night();
      for (const path of [`summary?org=octo`, 'trend?org=octo', 'agents']) {
        const answer = await ask(path);
        expect([path, answer.status, answer.body.code]).toEqual([path, 409, 'feature_off']);
      }
      const { requests } = visit.service.double;
      expect(requests.filter(({ graphql }) => graphql?.query.includes('SignsOfPullRequests'))).toEqual([]);
    });

    test('are counted once they were read, by class, agent and mark', async () => {
      expect((await save({ enabled: true })).status).toBe(200);
      await night();
      const { status, body } = await ask(`summary?org=octo&${month}`);
      expect(status).toBe(200);
      expect(body.classes).toMatchObject([
        { class: 'automation', prs: 0 },
        { class: 'agent_authored', prs: 20, share_pct: 20, suppressed: false },
        { class: 'ai_assisted', prs: 30, share_pct: 30, share_interval: { low: 22, high: 40 }, suppressed: false },
        { class: 'unmarked', prs: 50, share_pct: 50 },
        { class: 'unread', prs: 0 },
      ]);
      expect(body.agents).toEqual([{ agent: 'Copilot', prs: 20, share_pct: 20, suppressed: false }]);
      expect(body).toMatchObject({
        unread: 0,
        branch_only: 0,
        note: 'No mark does not mean written by a person. Marked shares are lower bounds.',
        window: { from: '2026-10', to: '2026-10', timezone: 'Asia/Saigon' },
      });
      expect(body.coverage.reasons).toContain('repositories_unread');
      const trend = (await ask(`trend?org=octo&${month}`)).body;
      expect(trend.months).toMatchObject([
        { month: '2026-10', shares: { agent_authored: 20, ai_assisted: 30, unmarked: 50, unread: 0 }, partial: false },
      ]);
      expect(trend.markers).toEqual([{ at: '2026-11-17', kind: 'policy', text: 'Switched on' }]);
      const csv = await ask(`summary?org=octo&${month}&format=csv`);
      expect(
        csv.text
          .split('\r\n')
          .filter(Boolean)
          .slice(1)
          .every((line) => line.includes('No mark does not mean')),
      ).toBe(true);
      expect((await ask('agents')).body.agents[0]).toMatchObject({ agent: 'Copilot', kind: 'account', own: false });
    });

    test('22: of five authors in the organization four are visible to the caller', async () => {
      const { body } = await ask(`summary?org=octo&${month}`, 'token-ann-fine');
      expect(body.classes.map(({ prs }: { prs: number | null }) => prs)).toEqual([null, null, null, null, null]);
      expect(body.classes.every(({ suppressed }: { suppressed: boolean }) => suppressed)).toBe(true);
      const alone = (await ask(`summary?owner=octo&repo=marked&${month}`)).body;
      expect(alone.classes.every(({ prs }: { prs: number | null }) => prs === null)).toBe(true);
      expect((await ask(`summary?owner=octo&repo=nothing&${month}`)).status).toBe(404);
    });

    test('each look is an entry of the audit log; no answer, table or log has a word of a person', async () => {
      const wanted = { limit: 1, before: null, categories: null, actor: null, action: 'ai_authorship.viewed' };
      expect((await store().audit.list(wanted))[0]).toMatchObject({
        action: 'ai_authorship.viewed',
        target: 'octo/marked',
      });
      const { rows } = await store().queue.executeSql('select * from pr_marks');
      const answers = [(await ask(`summary?org=octo&${month}`)).text, (await ask(`trend?org=octo&${month}`)).text];
      for (const text of [JSON.stringify(rows), ...answers])
        for (const planted of ['Planted', 'anthropic.com', 'eve', '"ana"', 'mail.codehost'])
          expect(text, planted).not.toContain(planted);
    });

    test('whole months alone, thirteen at most', async () => {
      for (const query of [
        'from=2026-11-01',
        'from=2026-13',
        'from=2025-01&to=2026-11',
        'from=2026-11&to=2026-10',
        'from=2026-11&to=2026-11',
        'to=2027-01',
      ])
        expect([query, (await ask(`summary?org=octo&${query}`)).status]).toEqual([query, 400]);
      expect((await ask('summary?from=2026-11')).status).toBe(400);
      const { body } = await ask('summary?org=octo');
      expect(body.window).toMatchObject({ from: '2026-05', to: '2026-10' });
    });

    test('are gone when they are switched off, and come again when they are switched on', async () => {
      const count = async () => (await store().queue.executeSql('select from pr_marks')).rows.length;
      expect(await count()).toBe(100);
      await save({ enabled: false });
      expect(await count()).toBe(0);
      await store().queue.executeSql(
        "insert into pr_marks (repo_id, number, class, kinds, type, read_complete, table_version, created_month) select id, 1, 'unmarked', 0, 0, true, 'late', '2026-10' from repos where name = 'marked'",
      );
      expect(await count(), 'a pass that ended after it').toBe(1);
      await night();
      expect(await count()).toBe(0);
      await save({ enabled: true, repositories_excluded: ['octo/secret'], labels: ['robot'] });
      // By the index of the category: the whole log is long.
      const elsewhere = {
        category: 'issues',
        action: 'settings.ai_authorship_saved',
        targetType: 'x',
        target: 'x',
      } as const;
      const about = { before: null, after: { enabled: true }, requestId: null, note: null };
      const actor = { id: null, login: 'ann' };
      await store().audit.append({ ...elsewhere, ...about, actor }, visit.service.clock.now());
      const { markers } = (await ask(`trend?org=octo&${month}`)).body;
      expect(markers.map(({ text }: { text: string }) => text)).toEqual([
        'Switched on',
        'Switched off',
        'Switched on',
        'Excluded repositories changed',
        'Labels or agents changed, and all months were marked anew',
      ]);
      expect(JSON.stringify(markers)).not.toContain('secret');
      await night();
      expect(await count()).toBe(80);
    });
  });
});
