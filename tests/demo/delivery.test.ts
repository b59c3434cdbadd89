import { expect, test } from 'vitest';
import { demoCodehost } from '../../server/demo/client.ts';
import { makeWorld, type WorldRepository } from '../../server/demo/world.ts';
import { Problem } from '../../server/platform/problem.ts';

const morning = Date.parse('2026-11-18T03:15:00Z');
const day = 86_400_000;
const world = makeWorld({ seed: 'demo', now: morning });
const codehost = demoCodehost(world);
const { now } = world;
const owner = 'lumen-harbor';
const site = { owner: 'Lumen-Harbor', repo: 'Tidewater-Web' };
const named = (repo: string) => world.repositories.find((one) => one.repository.repo === repo) as WorldRepository;
const first = named('tidewater-web');

const falling = (times: (number | null)[]) => expect(times).toEqual([...times].sort((a, b) => (b ?? 0) - (a ?? 0)));

test('merged pull requests come by window, newest first', async () => {
  const { items, slices, partial } = await codehost.pullRequests.merged(site, now - 30 * day, now - 10 * day);
  expect([slices, partial]).toEqual([1, false]);
  expect(items.length).toBeGreaterThan(40);
  falling(items.map((one) => one.mergedAt));
  expect(items.every(({ mergedAt }) => (mergedAt ?? 0) >= now - 30 * day && (mergedAt ?? 0) <= now - 10 * day)).toBe(
    true,
  );
  expect(Object.keys(items[0] ?? {})).not.toContain('mergeable');
});

test('counts of spans that follow each other add up to the window', async () => {
  const spans = Array.from({ length: 13 }, (_, index) => ({
    from: now - (index + 1) * 7 * day,
    to: now - index * 7 * day,
  }));
  const counts = await codehost.pullRequests.mergedCounts(site, 'main', spans);
  const { totalCount } = await codehost.pullRequests.merged(site, now - 91 * day, now - 1);
  expect(counts.reduce((sum, one) => sum + one, 0)).toBe(totalCount);
  expect(await codehost.pullRequests.mergedCounts(site, 'other', spans)).toEqual(Array(13).fill(0));
});

test('the last closed ones are as many as requested, by the time of closing', async () => {
  const { items } = await codehost.pullRequests.lastClosed(site, 60);
  expect(items).toHaveLength(60);
  falling(items.map((one) => one.closedAt));
  expect(new Set(items.map((one) => one.state))).toEqual(new Set(['merged', 'closed']));
  const window = await codehost.pullRequests.closed(site, items.at(-1)?.closedAt ?? 0);
  expect(window.items).toEqual(items);
});

test('open ones come oldest first, and reading them changes nothing', async () => {
  const { items, totalCount } = await codehost.pullRequests.open(site);
  const created = items.map((one) => one.createdAt);
  expect(created).toEqual([...created].sort((a, b) => a - b));
  expect(totalCount).toBe(first.state.openPullRequests);
  expect(items.every((one) => one.state === 'open' && !('mergeSha' in one))).toBe(true);
  const opened = first.pullRequests.filter((one) => one.createdAt >= now - 30 * day);
  const window = await codehost.pullRequests.window(site, now - 30 * day);
  const merged = first.pullRequests.filter((one) => (one.mergedAt ?? 0) >= now - 30 * day);
  expect([window.opened, window.merged]).toEqual([opened.length, merged.length]);
  expect(window.stillOpen.map(({ number }) => number).sort()).toEqual(
    opened
      .filter((one) => one.state === 'open')
      .map(({ number }) => number)
      .sort(),
  );
});

test('what a person wrote and reviewed comes from all repositories', async () => {
  const since = now - 90 * day;
  const authored = await codehost.pullRequests.authoredBy(owner, 'Mira-Okafor', since);
  const reviewed = await codehost.pullRequests.reviewedBy(owner, 'mira-okafor', since);
  expect(new Set(authored.items.map((one) => one.repository.repo)).size).toBeGreaterThan(3);
  expect(authored.items.every((one) => one.author?.login === 'mira-okafor')).toBe(true);
  expect(reviewed.items.every((one) => one.author?.login !== 'mira-okafor')).toBe(true);
  expect(reviewed.items.length).toBeGreaterThan(authored.items.length);
  expect((await codehost.pullRequests.authoredBy('nobody', 'mira-okafor', since)).items).toEqual([]);
});

test('commits come newest first, cut where requested, by person too', async () => {
  const { items, partial, totalCount } = await codehost.commits.history(site, now - 90 * day, 300);
  expect([items.length, partial]).toEqual([300, true]);
  expect(totalCount).toBeGreaterThan(300);
  expect(Object.keys(items[0] ?? {})).not.toContain('message');
  const { account } = await codehost.people.contributions('elsa-lind', owner, now);
  const names = [site, { owner, repo: 'beacon-api' }];
  const own = await codehost.commits.historiesBy(names, account.id, now - 90 * day);
  expect(own.items.every((one) => one.author?.login === 'elsa-lind')).toBe(true);
  expect(own.items.filter((one) => one.repository.repo === 'Tidewater-Web').length).toBeLessThanOrEqual(100);
  expect(new Set(own.items.map((one) => one.repository.repo)).size).toBe(2);
  expect((await codehost.commits.history({ owner, repo: 'new-pier' }, 0, 300)).items).toEqual([]);
});

test('commits tell the directories they touched, two levels deep or below one', async () => {
  const { items, touched, known, undecided } = await codehost.commits.directories(site, now - 90 * day, 300);
  expect([touched.size, items.length, undecided]).toEqual([300, 300, false]);
  const paths = ['', '.github/workflows', 'docs', 'src/berths', 'src/booking', 'src/invoices', 'src/map', 'src/tides'];
  expect([...known].sort()).toEqual(paths);
  expect(touched.get(items[0]?.sha ?? '')?.every((path) => known.includes(path))).toBe(true);
  const below = await codehost.commits.directories(site, now - 90 * day, 300, 'src');
  expect([...below.known].sort()).toEqual(paths.filter((path) => path.startsWith('src/')));
});

test('releases and deployments come down to the asked instant', async () => {
  const releases = await codehost.releases.since(site, now - 30 * day);
  expect(releases.items.length).toBeLessThan(first.releases.length);
  falling(releases.items.map((one) => one.publishedAt));
  const recent = await codehost.deployments.since(site, now - 30 * day);
  expect(recent.totalCount).toBe(first.deployments.length);
  expect(recent.newestAt).toBe(first.deployments[0]?.createdAt);
  falling(recent.items.map((one) => one.createdAt));
  expect(await codehost.deployments.productionEnvironments(site)).toEqual(['production']);
  const stale = await codehost.deployments.since({ owner, repo: 'pilot-mobile' }, now - 30 * day);
  expect([stale.items.length, stale.totalCount, stale.newestAt]).toEqual([0, 36, now - 58 * day]);
  const none = await codehost.deployments.since({ owner, repo: 'beacon-api' }, 0);
  expect([none.totalCount, none.newestAt]).toEqual([0, null]);
});

test('counts of issues agree with their lists', async () => {
  const counts = await codehost.issues.counts(site, { since: now - 30 * day, now });
  const [open, closed] = [await codehost.issues.open(site), await codehost.issues.closed(site, now - 30 * day)];
  expect([counts.openCount, counts.closedInPeriod]).toEqual([open.totalCount, closed.totalCount]);
  expect(counts.ages.reduce((sum, one) => sum + one, 0)).toBe(counts.openCount);
  expect(counts.unlabelledCount).toBe(open.items.filter((one) => one.labels?.length === 0).length);
  expect(counts.oldestOpen?.createdAt).toBe(Math.min(...open.items.map((one) => one.createdAt)));
  expect(
    Math.min(counts.staleCount, counts.unansweredCount, counts.unassignedCount, counts.openedInPeriod),
  ).toBeGreaterThan(0);
  falling(closed.items.map((one) => one.closedAt));
});

test('contributions fill 52 weeks', async () => {
  const { days, repositories, account } = await codehost.people.contributions('Tuan-Pham', owner, now);
  expect(account).toMatchObject({ login: 'tuan-pham', name: 'Tuan Pham', isBot: false });
  const dates = days.map(({ date }) => date);
  expect(dates).toEqual([...new Set(dates)].sort());
  expect(Date.parse(dates[0] ?? '')).toBeLessThan(now - 340 * day);
  expect(Date.parse(dates.at(-1) ?? '')).toBeLessThanOrEqual(now);
  expect(days.every(({ count }) => count > 0)).toBe(true);
  const commits = first.commits.filter((one) => one.author?.login === 'tuan-pham').length;
  expect(repositories[0]).toMatchObject({ name: { repo: 'tidewater-web' }, commits });
  const bot = await codehost.people.contributions('tide-updates[bot]', null, now);
  expect([bot.account.isBot, bot.days, bot.repositories]).toEqual([true, [], []]);
});

test.each([
  ['not_found', 404, () => codehost.pullRequests.open({ owner, repo: 'nothing' })],
  ['not_found', 404, () => codehost.people.contributions('nobody', null, now)],
  ['issues_disabled', 410, () => codehost.issues.open({ owner, repo: 'anchor-charts' })],
])('a question that cannot be answered is rejected with %s', async (code, status, ask) => {
  const error = await ask().catch((problem: unknown) => problem);
  expect(error).toBeInstanceOf(Problem);
  expect(error).toMatchObject({ code, status });
});
