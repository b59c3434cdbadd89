import { beforeAll, describe, expect, test } from 'vitest';
import { aiComparison } from '../../../jobs/ai-comparison.ts';
import { commitFacts } from '../../../jobs/commit-facts.ts';
import { prFacts } from '../../../jobs/pr-facts.ts';
import { runJob } from '../../../jobs/run-job.ts';
import { aiAuthorship } from '../../../server/settings/ai-authorship.ts';
import { storedService } from '../../api/stored.ts';
import { aCommit, anActor } from '../../codehost-double/delivery-builders.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { aDatabase } from '../../support/a-database.ts';

const settings = '/api/settings/ai-authorship';
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Settled by the time of the named world, 16 November. */
const month = 'from=2026-09&to=2026-09';
const september = Date.UTC(2026, 8, 7, 3);

interface Compared {
  key: string;
  verdict: string;
  reasons: string[];
  matched_sets: number | null;
  marked: { value: number | null; prs: number | null };
  comparable: { value: number | null; prs: number | null };
}

/** One job for each run, on a standard runner, as long as the run. */
const jobsOfRuns = `
insert into attempt_costs (run_id, run_attempt, part, repo_id, labels, started_at, jobs, untimed, idle, minutes, has_begun,
  ended_at, stored_at)
select id, run_attempt, 0, repo_id, '["ubuntu-latest"]', run_started_at, 1, 0, 0,
  ceil(extract(epoch from updated_at - run_started_at) / 60), true, updated_at, updated_at
from workflow_runs`;

interface Row {
  repo: string;
  sets: number | null;
}

aDatabase((database) => {
  describe('marked pull requests beside others', () => {
    const visit = storedService(database, { CODEHOST_TOKEN: 'token-ann-two' });
    let cookie: string | null = null;
    const by = (as: string) => (cookie !== null && as === 'token-ann' ? { headers: { cookie } } : { as });
    const ask = (query: string, as = 'token-ann') =>
      visit.service.ask('GET', `/api/ai-authorship/comparison?${query}`, by(as));
    const askBy = (query: string, as = 'token-ann') =>
      visit.service.ask('GET', `/api/ai-authorship/by-repository?${query}`, by(as));
    /** A slow machine needs longer than the two seconds that an answer waits. */
    const askComputed = async (query: string) => {
      let answer = await ask(query);
      for (let again = 0; answer.body.computing && again < 10; again++) answer = await ask(query);
      return answer;
    };
    const save = (changed: object) =>
      visit.service.ask('PUT', settings, { ...by('token-ann'), body: { ...aiAuthorship.fallback, ...changed } });
    const run = async (job: typeof aiComparison) => {
      const { services } = visit.service.app;
      const slot = `${job.name} ${services.clock.now()}`;
      const end = await runJob(job, services, { slot, trigger: 'http', stopping: new AbortController().signal });
      return end?.outcome?.summary;
    };
    const night = async () => {
      visit.service.clock.advance(day);
      await run(prFacts as unknown as typeof aiComparison);
      await run(commitFacts as unknown as typeof aiComparison);
      // What the night read of open ones is old by then.
      visit.service.clock.advance(hour);
    };
    const store = () => {
      const { store: found } = visit.service.app.services;
      if (!found) throw new Error('no store');
      return found;
    };
    const rows = async () =>
      (await store().queue.executeSql('select class, answer, table_version from ai_comparisons')).rows as {
        class: string;
      }[];
    /** Who read open pull requests. */
    const readOpen = () =>
      visit.service.double.requests
        .filter(({ operation }) => operation === 'OpenPullRequests')
        .map(({ token }) => token);
    const outcomeOf = ({ outcomes }: { outcomes: Compared[] }, wanted: string) =>
      outcomes.find(({ key }) => key === wanted);

    beforeAll(async () => {
      const { double } = visit.service;
      const people = ['ana', 'bea', 'cy', 'dan', 'eli', 'fay'];
      const claude = [{ name: 'Planted Name', email: 'noreply@anthropic.com' }];
      const put = (repo: string, number: number, marked: 'agent' | 'assisted' | null) => {
        const createdAt = september + (number % 18) * day + (number % 5) * hour;
        const author = marked === 'agent' ? 'copilot-swe-agent[bot]' : (people[number % people.length] ?? '');
        const commits = [
          aCommit(createdAt - hour, anActor(author), `Planted subject ${number}`, {
            coAuthors: marked === 'assisted' ? claude : [],
          }),
        ];
        // Of sizes that are not compared with each other, so that not the same few are compared with all.
        const additions = Math.round(20 * 3 ** (number % 6) * (1 + ((number * 7) % 23) / 100));
        const end = number % 7 === 0 ? {} : { mergedAt: createdAt + 5 * hour };
        double.putPullRequest(repo, { number, author: anActor(author), createdAt, additions, commits, ...end });
        if (marked === 'assisted' && number % 7 !== 0 && number % 2 === 0)
          double.putPullRequest(repo, {
            number: 1000 + number,
            author: anActor('gil'),
            createdAt: createdAt + day,
            mergedAt: createdAt + 2 * day,
            title: `Revert "Planted subject ${number}"`,
            body: `Reverts ${repo}#${number}`,
          });
        const startedAt = createdAt + hour;
        double.putRun(repo, {
          id: 500_000 + number,
          event: 'pull_request',
          headBranch: `change-${number}`,
          conclusion: number % 5 === 0 ? 'failure' : 'success',
          createdAt: startedAt,
          startedAt,
          updatedAt: startedAt + (marked ? 20 : 10) * minute,
        });
      };
      double.addRepository({ name: 'octo/marked', facts: { id: 77_001 } });
      double.addRepository({ name: 'octo/quiet', facts: { id: 77_002 } });
      for (let number = 1; number <= 120; number++)
        put('octo/marked', number, number <= 24 ? 'agent' : number <= 48 ? 'assisted' : null);
      for (let number = 301; number <= 380; number++) put('octo/secret', number, number <= 330 ? 'assisted' : null);
      for (let number = 501; number <= 509; number++) put('octo/quiet', number, number <= 504 ? 'assisted' : null);
      for (const name of ['octo/marked', 'octo/secret', 'octo/quiet'])
        await store().repositories.track(repositoryOf(double.world, name).facts, 'ann', visit.service.clock.now());
    });

    test('are not compared while marks are off', async () => {
      const answer = await ask(`org=octo&${month}`);
      expect([answer.status, answer.body.code]).toEqual([409, 'feature_off']);
      expect(await run(aiComparison)).toEqual({ computed: 0, failed: 0, waiting: 0, remaining: 0 });
    });

    test('are not compared before their marks and what came of them were read, and nothing is asked for it', async () => {
      expect((await save({ enabled: true })).status).toBe(200);
      const { body } = await ask(`org=octo&${month}`);
      expect(body).toMatchObject({ outcomes: [], computing: false, repository_months: { compared: 0, left_out: 0 } });
      expect(readOpen()).toEqual([]);
    });

    test('are compared with those like them, by the token of who asks, one request for each repository', async () => {
      await night();
      await visit.sync('owner=octo&repo=marked');
      await store().queue.executeSql(jobsOfRuns);
      visit.service.double.requests.length = 0;
      const { status, body } = await askComputed(`org=octo&${month}&class=ai_assisted`);
      expect([status, body.computing, body.failed]).toEqual([200, false, false]);
      expect(body.outcomes).toHaveLength(8);
      expect(body).toMatchObject({
        class: 'ai_assisted',
        agent: null,
        compared_to: '2026-09',
        repository_months: { compared: 2, left_out: 1 },
        suppressed: true,
      });
      const merged = outcomeOf(body, 'merged_30d');
      expect(merged?.matched_sets).toBeGreaterThanOrEqual(50);
      expect(merged?.marked.value, 'open ones count as not merged').toBeLessThan(95);
      const reverted = outcomeOf(body, 'reverted_30d');
      expect(reverted?.matched_sets).toBeGreaterThanOrEqual(10);
      expect(reverted?.marked.value).toBeGreaterThan(outcomeOf(body, 'reverted_30d')?.comparable.value ?? 100);
      expect(outcomeOf(body, 'rework_30d')?.marked.value).toBeGreaterThanOrEqual(reverted?.marked.value ?? 100);
      expect(outcomeOf(body, 'ci_minutes'), 'of runs that are stored').toMatchObject({
        marked: { value: 20 },
        comparable: { value: 10 },
        repositories: 1,
      });
      expect(outcomeOf(body, 'ci_failed_share')?.marked.value).toBeGreaterThan(0);
      expect(readOpen(), 'none of the repository that is too small').toEqual(['token-ann', 'token-ann']);
      const others = visit.service.double.requests.filter(({ operation }) => operation !== 'OpenPullRequests');
      expect(
        others.filter(({ path }) => /\/(runs|jobs|pulls|commits)/.test(path)),
        'all else is stored',
      ).toEqual([]);
      visit.service.double.requests.length = 0;
      const again = await ask(`org=octo&${month}&class=ai_assisted`);
      expect(again.body.outcomes).toEqual(body.outcomes);
      expect(readOpen()).toEqual([]);
    });

    test('are compared repository by repository, of what is kept', async () => {
      visit.service.double.requests.length = 0;
      const { status, body } = await askBy(`org=octo&${month}&class=ai_assisted&outcome=review_rounds`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ class: 'ai_assisted', outcome: 'review_rounds', effect_unit: 'rounds' });
      const sets = Object.fromEntries(body.repositories.map(({ repo, sets: own }: Row) => [repo, own]));
      expect(sets['octo/marked']).toBeGreaterThanOrEqual(10);
      expect(sets['octo/secret']).toBeGreaterThanOrEqual(10);
      const quiet = { repo: 'octo/quiet', sets: null, effect: null, interval: null, suppressed: true };
      expect(body.repositories).toContainEqual(quiet);
      const all = outcomeOf((await ask(`org=octo&${month}&class=ai_assisted`)).body, 'review_rounds');
      expect(sets['octo/marked'] + sets['octo/secret']).toBe(all?.matched_sets);
      expect(visit.service.double.requests.map(({ operation }) => operation)).not.toContain('OpenPullRequests');
      const csv = await askBy(`org=octo&${month}&class=ai_assisted&format=csv`);
      const lines = csv.text.split('\r\n').filter(Boolean);
      expect(lines[0]).toBe('repo,outcome,sets,effect,effect_unit,low,high,suppressed,note');
      expect(lines).toHaveLength(1 + body.repositories.length);
      const ofBo = (await askBy(`org=octo&${month}&class=ai_assisted`, 'token-bo')).body;
      expect(JSON.stringify(ofBo)).not.toContain('octo/secret');
      expect((await askBy(`org=octo&${month}&outcome=size_lines`)).status).toBe(400);
    });

    test('have what their runs cost beside those of others like them', async () => {
      const { status, body } = await visit.service.ask(
        'GET',
        `/api/ai-authorship/cost?org=octo&${month}`,
        by('token-ann'),
      );
      expect(status).toBe(200);
      const [authored, assistedRow] = body.classes;
      expect([authored.class, assistedRow.class]).toEqual(['agent_authored', 'ai_assisted']);
      expect(assistedRow).toMatchObject({
        label: 'AI-assisted',
        ci_minutes_per_pr: 20,
        ci_usd_per_pr: 0,
        failed_usd: 0,
        comparable: { ci_minutes_per_pr: 10 },
        usd_difference: 0,
        suppressed: false,
      });
      expect(assistedRow.prs).toBeGreaterThanOrEqual(10);
      const small = (
        await visit.service.ask('GET', `/api/ai-authorship/cost?owner=octo&repo=quiet&${month}`, by('token-ann'))
      ).body;
      expect(small.classes).toMatchObject([
        { prs: null, ci_usd_per_pr: null, usd_interval: null, suppressed: true },
        { prs: null, ci_usd_per_pr: null, usd_interval: null, suppressed: true },
      ]);
    });

    test('say in a file what they say on the page', async () => {
      const csv = await ask(`org=octo&${month}&class=ai_assisted&format=csv`);
      const [head = '', ...lines] = csv.text.split('\r\n').filter(Boolean);
      expect(head).toContain('key,label,unit,matched_sets');
      expect(lines).toHaveLength(8);
      expect(lines.every((line) => line.includes('No mark does not mean written by a person.'))).toBe(true);
    });

    test('are compared in one repository, and are named so', async () => {
      const { body } = await ask(`owner=octo&repo=marked&${month}`);
      const merged = outcomeOf(body, 'merged_30d');
      expect(merged?.matched_sets).toBeGreaterThanOrEqual(10);
      expect(merged).toMatchObject({ verdict: 'not_comparable' });
      expect(merged?.reasons).toContain('in_one_repository');
    });

    test('of a private repository do not count for whoever does not see it', async () => {
      const all = (await ask(`org=octo&${month}&class=ai_assisted`)).body;
      const { body } = await ask(`org=octo&${month}&class=ai_assisted`, 'token-bo');
      expect(body.repository_months).toEqual({ compared: 1, left_out: 1 });
      const [own, others] = [body, all].map((one) => outcomeOf(one, 'merged_30d')?.matched_sets ?? 0);
      expect(own).toBeGreaterThanOrEqual(10);
      expect((others ?? 0) - (own ?? 0)).toBeGreaterThanOrEqual(10);
      expect((await ask(`owner=octo&repo=secret&${month}`, 'token-bo')).status).toBe(404);
    });

    test('whoever sees too few is shown nothing', async () => {
      const { body } = await ask(`org=octo&${month}&class=ai_assisted`, 'token-ann-fine');
      expect(body).toMatchObject({ outcomes: [], raw: [], excluded: [], balance: [], computing: false });
      const small = (await ask(`owner=octo&repo=quiet&${month}&class=ai_assisted`)).body;
      expect(small).toMatchObject({
        outcomes: [],
        suppressed: true,
        repository_months: { compared: 0, left_out: 1 },
      });
      const none = (await ask(`owner=octo&repo=quiet&${month}&class=agent_authored`)).body;
      expect({ ...none, class: small.class }, 'that a few have a mark is not told').toEqual(small);
    });

    test('are refused where nothing like it can be compared', async () => {
      const code = async (query: string) => {
        const { status, body } = await ask(query);
        return [status, body.code];
      };
      const invalid = [400, 'invalid_request'];
      expect(await code(`org=octo&${month}&class=automation`)).toEqual(invalid);
      expect(await code(`org=octo&${month}&class=ai_assisted&agent=Claude`)).toEqual(invalid);
      expect(await code('org=octo&from=2026-09-01')).toEqual(invalid);
      expect(await code('org=octo&from=2025-01&to=2026-10')).toEqual(invalid);
      expect(await code('org=octo&from=2026-11&to=2026-11')).toEqual(invalid);
      expect(await code(month)).toEqual(invalid);
      expect(await code(`owner=octo&repo=nothing&${month}`)).toEqual([404, 'not_found']);
      const { body } = await ask(`org=octo&${month}&agent=Copilot`);
      expect(body, 'of fewer than a hundred').toMatchObject({ outcomes: [], suppressed: true });
    });

    test('a window differs from another by whole months that are settled', async () => {
      const alone = (await ask(`org=octo&${month}`)).body;
      const { body } = await ask('org=octo&from=2026-08&to=2026-10');
      expect(body.compared_to).toBe('2026-09');
      expect(body.outcomes, 'the same comparison').toEqual(alone.outcomes);
    });

    test('are compared by the job once a week, and none of what is kept is of a person', async () => {
      expect(await run(aiComparison)).toMatchObject({ failed: 0, remaining: 0 });
      expect(await run(aiComparison)).toEqual({ computed: 0, failed: 0, waiting: 0, remaining: 0 });
      visit.service.clock.advance(5 * day);
      await night();
      expect(await run(aiComparison)).toEqual({ computed: 0, failed: 0, waiting: 0, remaining: 0 });
      visit.service.clock.advance(day);
      await night();
      visit.service.double.requests.length = 0;
      const later = await run(aiComparison);
      expect(later?.computed).toBeGreaterThan(0);
      expect(new Set(readOpen()), 'nobody else pays for it').toEqual(new Set(['token-ann-two']));
      const text = JSON.stringify(await rows());
      for (const planted of ['Planted', 'anthropic.com', '"ana"', '"bea"', 'octo/secret'])
        expect(text, planted).not.toContain(planted);
    });

    test('a week later somebody signs in again', async () => {
      const answer = await visit.service.ask('POST', '/api/auth/setup', { body: { pat: 'token-ann' } });
      cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      expect((await ask(`org=octo&${month}`)).status).toBe(200);
    });

    test('by another table of marks are none until all was read anew', async () => {
      await save({ enabled: true, labels: ['made-by-a-robot'] });
      const { body } = await ask(`org=octo&${month}&class=ai_assisted`);
      expect(body).toMatchObject({ outcomes: [], computing: false, repository_months: { compared: 0, left_out: 3 } });
      expect(body.coverage.reasons).toContain('other_table');
    });

    test('what failed waits an hour, also for the job, and says so', async () => {
      await night();
      const unread = { kind: 'failing_field', field: 'Repository.pullRequests', type: 'SERVICE_UNAVAILABLE' } as const;
      visit.service.double.fault({ path: '/graphql', times: 500 }, unread);
      const { body } = await ask(`org=octo&${month}&class=ai_assisted`);
      expect(body).toMatchObject({ computing: false, failed: true, outcomes: [] });
      const requests = readOpen().length;
      expect((await ask(`org=octo&${month}&class=ai_assisted`)).body.failed).toBe(true);
      const summary = await run(aiComparison);
      expect(summary?.waiting).toBeGreaterThanOrEqual(1);
      expect(summary?.computed).toBe(0);
      const { failed = 0 } = summary ?? {};
      expect(await run(aiComparison)).toMatchObject({ failed: 0, waiting: failed + (summary?.waiting ?? 0) });
      const ofRepositories = (await askBy(`org=octo&${month}&class=ai_assisted`)).body;
      expect(ofRepositories.failed).toBe(true);
      expect(ofRepositories.repositories.map(({ suppressed }: { suppressed: boolean }) => suppressed)).toEqual([
        false,
        false,
        false,
      ]);
      const cost = await visit.service.ask('GET', `/api/ai-authorship/cost?org=octo&${month}`, by('token-ann'));
      expect(cost.body.classes[1], 'not too few').toMatchObject({ prs: null, failed: true, suppressed: false });
      visit.service.clock.advance(hour + 1);
      await ask(`org=octo&${month}&class=ai_assisted`);
      expect(readOpen().length).toBeGreaterThan(requests);
    });

    test('are gone when marks are switched off', async () => {
      expect((await rows()).length).toBeGreaterThan(0);
      await save({ enabled: false });
      expect(await rows()).toEqual([]);
      expect((await ask(`org=octo&${month}`)).status).toBe(409);
    });
  });
});
