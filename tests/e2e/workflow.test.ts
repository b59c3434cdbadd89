import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scriptTitle } from '../codehost-double/named-world.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { withoutOwnScripts } from '../support/form-page.ts';
import { synchronize } from '../support/synchronize.ts';
import { visitSite } from './visited-site.ts';

const visit = visitSite();

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterAll(() => closeContexts(browser));

/** Runs of it are active, so its page has the few lines that read it anew, and no script beside. */
async function ci(more = '') {
  const page = await visit.read(`/repos/octo/web/workflows/7001${more}`);
  const scripts = withoutOwnScripts(page.text).match(/<script[^>]*>|rel="modulepreload"/g);
  expect(scripts).toEqual([expect.stringMatching(/^<script nonce="[\w-]+">$/)]);
  expect(page.content).not.toMatch(/undefined|NaN|\[object|Invalid Date/);
  return page;
}

const hour = 3_600_000;
let repositories = 0;

/** A repository of its own, and the page of its workflow. */
function repository() {
  const id = 71_000 + ++repositories;
  const name = `octo/flowing-${id}`;
  visit.site.double.addRepository({ name, facts: { id } });
  return { name, page: `/repos/${name}/workflows/${id * 10 + 1}` };
}

describe('a workflow', () => {
  test('reports first what stands out, then how its runs went', async () => {
    const { content } = await ci();
    for (const one of [
      '2 running or waiting at',
      'Refresh',
      'Highlights',
      'No anomalies in the latest 13 runs.',
      'Success rate, 7-run rolling',
      'Latest 71 %.',
      'Run duration',
      'Outcomes Latest 13 runs',
      'Passed 7 Failed 2 Cancelled 1',
      'Running or waiting 2',
      'Runs per day',
    ])
      expect(content).toContain(one);
  });

  test('shows each measure once: medians with their p90, and one queue wait', async () => {
    const tabs = await Promise.all(['', '?tab=performance', '?tab=reliability'].map((tab) => ci(tab)));
    const cards = tabs.flatMap(({ text }) =>
      [...text.matchAll(/role="article" aria-label="([^"]+)"/g)].map(([, label]) => label),
    );
    expect(cards).toEqual([
      'Success rate',
      'Median duration',
      'Queue wait',
      'Consecutive failures',
      'Delayed runs',
      'Time lost in the queue',
      'Time to recovery',
      'Flaky rate',
      'Time lost to flaky failures',
      'Re-run rate',
    ]);
    const [overview] = tabs;
    expect(overview?.content).toMatch(/Median duration 2 min p90 1 h 13 min .* Queue wait 0 s p90 0 s/);
    const opened = await visit.readPlain('/explain?metric=workflow_p90_duration&owner=octo&repo=web&workflow_id=7001');
    expect(opened.content).toContain('Duration, p90');
  });

  test('keeps the choice of runs over its tabs, and what was chosen on one of them does not follow', async () => {
    const { text } = await ci('?per_page=20&tab=runs&run=5011&sort=duration-desc');
    for (const tab of ['performance', 'reliability', 'triggers', 'cost'])
      expect(text).toContain(`href="?per_page=20&amp;tab=${tab}"`);
    expect(text).toContain('href="?per_page=20"');
  });

  test('draws each job of the critical path as long as the share said beside it', async () => {
    const { text } = await visit.readPlain('/demo/repos/lumen-harbor/beacon-api/workflows/41100');
    const [, figure = ''] = text.split('aria-label="Critical-path jobs by share of runs"');
    const [drawn = ''] = figure.split('</figure>');
    const said = [...drawn.matchAll(/metric=critical_path_share[^>]*>([\d.]+)/g)].map(([, share]) => Number(share));
    const widths = [...drawn.matchAll(/width:([\d.]+)%/g)].map(([, width]) => Math.round(Number(width)));
    expect(said.length).toBeGreaterThan(2);
    expect(widths).toEqual(said);
  });

  test('reports where the time of its runs goes', async () => {
    const { content, text } = await ci('?tab=performance');
    for (const one of [
      'Jobs of 11 runs, by latest attempt; 2 in-progress runs excluded',
      'few',
      'The ten slowest steps',
      'Job time per run',
      'Share of runs, median build 100 %',
      'Queue wait',
      'less than 10 s',
      'Total minutes waiting for a runner',
      'What differs in the slow runs: run #5003',
      'This run against the median run Job This run Median Median, five slowest Difference build 6 h 2 min 2 min +5 h 58 min',
      'Set up job',
    ])
      expect(content).toContain(one);
    const order = ['Critical path', 'Durations', 'What differs', 'The ten slowest steps', 'Time lost in the queue'];
    expect(order.map((one) => content.indexOf(one)).toSorted((a, b) => a - b)).toEqual(
      order.map((one) => content.indexOf(one)),
    );
    expect(text).toMatch(/href="\?tab=performance&amp;run=5010#jobs"/);
    expect((await ci('?tab=performance&run=5010')).content).toContain('What differs in the slow runs: run #5010');
  });

  test('caps the axis where one run took far longer than the others, and says so', async () => {
    const { content, text } = await ci();
    expect(content).toContain('above axis: 6 h');
    // No font is needed for the mark.
    expect(text).not.toMatch(/[▲▼]/);
    expect(text).toMatch(/<svg class="outlier"[^>]*><path/);
  });

  test('draws the durations of stored runs by day, in the range that is chosen', async () => {
    const page = '/demo/repos/lumen-harbor/beacon-api/workflows/41100';
    const days = async (range: string) => {
      const { content } = await visit.readPlain(`${page}${range}`);
      const [, table = ''] = /Duration by day When median p90 (.*?) Highlights/.exec(content) ?? [];
      return table.match(/\d+ \w{3} \d{4}/g)?.length;
    };
    // The first day counts from the hour at which the range begins.
    expect([await days(''), await days('?range=7')]).toEqual([31, 8]);
  });

  test('reports how long it stays red, and that what is not stored is missing', async () => {
    const { content, text } = await ci('?tab=reliability');
    for (const one of [
      'Time to recovery',
      'from 2 failing periods',
      'run 5010',
      'Passed and failed runs 7 passed, 2 failed',
      '1 superseded attempt is not stored.',
      'None known, but',
      'Sample too small.',
    ])
      expect(content).toContain(one);
    expect(content.match(/1 superseded attempt is not stored/g)).toHaveLength(2);
    expect(text).toMatch(/href="\/explain\?metric=ci_recovery&amp;owner=octo&amp;repo=web&amp;workflow_id=7001"/);
    expect(text).toContain('table=recoveries&amp;format=csv');
    const opened = await visit.readPlain('/explain?metric=ci_recovery&owner=octo&repo=web&workflow_id=7001');
    expect(opened.content).toContain('Failed with run 5010');
  });

  test('reports flaky commits once replaced attempts are stored', async () => {
    await synchronize(visit.site, visit.ann, { owner: 'octo', repo: 'api' });
    const { content } = await visit.readPlain('/repos/octo/api/workflows/7101?tab=reliability');
    expect(content).toMatch(/run 5204, attempt 2 1 .* 2 min /);
    expect(content).toContain('Time lost to flaky failures 6 min from 2 flaky commits');
    expect(content).not.toContain('superseded attempts are not stored');
  });

  test('reports what sets it off, people by name and bots apart', async () => {
    const { content } = await ci('?tab=triggers');
    for (const one of ['push 11', 'pull request 2', 'Runs by hour of creation 13 runs', 'Asia/Saigon'])
      expect(content).toContain(one);
    expect(content).toMatch(
      /People, by name Name Runs ann 11 deleted accounts 1 .*Bots, by name Name Runs dependabot 1/,
    );
  });

  test('reports what it is estimated to cost', async () => {
    const { content, text } = await ci('?tab=cost');
    for (const one of [
      'Estimated cost per run',
      'before included minutes and discounts',
      'Failed, then passed on re-run 1',
    ])
      expect(content).toContain(one);
    // Every job has a price, so no column says of how many there is none.
    expect(content).not.toContain('Jobs without price');
    expect(content).toMatch(/All runs together ≈ \$\d/);
    expect(text).toMatch(/href="\/explain\?metric=estimated_cost&amp;/);
  });

  test('sorts its runs by link, and opens each attempt of one', async () => {
    const numbers = (text: string) => [...text.matchAll(/>#<!-- -->(\d+)<\/a>/g)].map(([, number]) => number);
    const usual = await ci('?tab=runs');
    expect(numbers(usual.text).slice(0, 3)).toEqual(['5013', '5012', '5011']);
    expect(usual.text).not.toContain(scriptTitle);
    const slowest = await ci('?tab=runs&sort=duration-desc');
    expect(numbers(slowest.text)[0]).toBe('5003');
    expect(slowest.text).toMatch(/aria-sort="descending"[^>]*><a href="\?tab=runs&amp;sort=duration-asc"/);
    const again = await ci('?tab=runs&run=5009&attempt=1');
    expect(again.content).toContain('Jobs of run #5009 Attempt 1 Attempt 2 Attempt 1 1 job, 1 failed');
    expect(again.text).toMatch(/href="\?tab=runs&amp;run=5009&amp;attempt=2#jobs"/);
  });

  test('lists the runs of a branch, whose choice leaves with the tab', async () => {
    const on = (query: string) => visit.read(`/repos/octo/web/workflows/7001${query}`);
    const numbers = (text: string) => [...text.matchAll(/>#<!-- -->(\d+)<\/a>/g)].map(([, number]) => number);
    const all = await on('?tab=runs');
    expect(all.content).toContain('All branches · Including bots');
    const topic = await on('?tab=runs&branch=topic');
    expect(numbers(topic.text)).toEqual(['5007']);
    expect(topic.content).toContain('Branch topic · Including bots');
    expect(topic.content).not.toContain('All branches');
    expect(topic.text).toMatch(/href="\/api\/codehost\/runs\?[^"]*branch=topic/);
    expect(topic.text).toMatch(/<form [^>]*action="#runs"/);
    const usual = await on('?tab=runs&branch=~DEFAULT_BRANCH');
    expect(usual.content).toContain('Default branch · Including bots');
    expect(numbers(usual.text)).toContain('5011');
    expect(numbers(usual.text)).not.toContain('5007');
    const none = await on(`?tab=runs&branch=${encodeURIComponent('"><script>x</script>')}`);
    expect([none.status, none.text]).toEqual([200, expect.not.stringContaining('<script>x')]);
    expect(none.content).toMatch(/Branch "><script>x<\/script>: no runs\. All branches|: no runs\./);
    const refused = await on('?tab=runs&branch=a%20b');
    expect([refused.status, refused.content]).toEqual([400, expect.stringContaining('branch is not the name')]);
    const other = await on('?tab=performance&branch=topic');
    expect(other.content).toContain('All branches');
    expect(topic.text).not.toMatch(/href="\?tab=performance[^"]*branch/);
  });

  test.each(['overview', 'performance', 'reliability', 'triggers', 'cost', 'runs'])(
    'that never ran says so on %s',
    async (tab) => {
      const { status, content } = await visit.readPlain(`/repos/octo/web/workflows/7004?tab=${tab}`);
      expect([status, /No runs yet/.test(content)]).toEqual([200, true]);
    },
  );

  test.each(['overview', 'performance', 'reliability', 'triggers', 'cost', 'runs'])(
    'of another repository is not found on %s, and one that cannot be read is not called empty',
    async (tab) => {
      const path = (repo: string, id: number) => `/repos/octo/${repo}/workflows/${id}?tab=${tab}`;
      expect((await visit.site.visit(path('web', 7101), { cookie: visit.ann })).status).toBe(404);
      const fault = { path: '/repos/octo/old/actions/workflows/10041/runs', times: 30 };
      visit.site.double.fault(fault, { kind: 'status', status: 403 });
      const response = await visit.readPlain(path('old', 10041));
      expect(response.content).toContain('Access denied.');
      expect(response.content).not.toMatch(/No runs yet|No anomalies/);
    },
  );

  test('asks no more than the shown tab needs', async () => {
    const sent = async (tab: string) => {
      visit.site.double.requests.length = 0;
      await visit.readPlain(`/repos/octo/fork/workflows/10051?tab=${tab}&per_page=20`);
      return visit.site.double.requests.map(({ operation }) => operation);
    };
    expect((await sent('triggers')).length).toBeLessThanOrEqual(3);
    expect(await sent('runs')).toEqual([]);
    expect(await sent('reliability')).toEqual([]);
  });

  test('opens a run that has ended from the jobs that are stored', async () => {
    const { name, page } = repository();
    visit.site.double.putRun(name, { id: 1, createdAt: Date.now() - hour });
    await visit.readPlain(`${page}?tab=cost`);
    visit.site.double.requests.length = 0;
    expect((await visit.readPlain(`${page}?tab=runs&run=1`)).content).toContain('Jobs of run #1');
    expect(visit.site.double.requests).toEqual([]);
  });
});

describe('a run under way', () => {
  test('is looked at again by a link, which goes when it has ended', async () => {
    const { name, page } = repository();
    const { putRun, completeRun } = visit.site.double;
    putRun(name, { id: 1, createdAt: Date.now() - 60_000, status: 'in_progress' });
    const running = await visit.read(`${page}?tab=cost`);
    expect(running.content).toMatch(/1 running or waiting at \d\d:\d\d \(Asia\/Saigon\)\. Refresh/);
    expect(running.links).toContain(`${page}?tab=cost`);
    completeRun(name, 1, 'success', Date.now());
    const { content } = await visit.readPlain(`${page}?tab=cost&per_page=20`);
    expect(content).not.toMatch(/running or waiting at|Refresh/);
  });

  test('is looked at again by itself after half a minute, but only where somebody sees it', async () => {
    const { name, page: path } = repository();
    visit.site.double.putRun(name, { id: 1, createdAt: Date.now() - 60_000, status: 'in_progress' });
    const context = await browser.newContext({ extraHTTPHeaders: { 'x-forwarded-for': '10.0.7.1' } });
    await visit.site.signInBrowser(context);
    const page = await context.newPage();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.goto(`${visit.site.url}${path}`);
    const setHidden = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    // Marked, and then long enough for a page to be left.
    const staysFor = async (ms: number) => {
      await page.evaluate("document.title = 'same'");
      await page.clock.fastForward(ms);
      return page.evaluate(async () => (await fetch(location.href)).ok && document.title === 'same');
    };
    await setHidden(true);
    expect(await staysFor(40_000)).toBe(true);
    await Promise.all([page.waitForEvent('load'), setHidden(false)]);
    expect(await staysFor(29_000)).toBe(true);
    await Promise.all([page.waitForEvent('load'), page.clock.fastForward(1_500)]);
    expect(await page.title()).not.toBe('same');
    await context.close();
  });
});

test('an unusual run leads to an issue about it, without scripts', async () => {
  const { name, page: path } = repository();
  for (let id = 1; id <= 40; id++) {
    const createdAt = Date.now() - (50 - id) * hour;
    visit.site.double.putRun(name, { id, createdAt, updatedAt: createdAt + (id === 40 ? 60 : 2 + (id % 3)) * 60_000 });
  }
  const context = await browser.newContext({
    javaScriptEnabled: false,
    extraHTTPHeaders: { 'x-forwarded-for': '10.0.7.2' },
  });
  await visit.site.signInBrowser(context);
  const page = await context.newPage();
  await page.goto(`${visit.site.url}${path}?tab=reliability`);
  await page.getByRole('link', { name: 'File an issue' }).first().click();
  expect(await page.getByLabel('Title').inputValue()).toMatch(/^Unusual duration: 1 h instead of 3 min in run 40$/);
  expect(await page.getByRole('textbox', { name: /^Text/ }).inputValue()).toContain('Expected: 3 min, the median of');
  await context.close();
});

describe('in the demo', () => {
  test.each([
    ['', ['Highlights', '7-run rolling']],
    ['?tab=performance', ['The ten slowest steps', 'Share of runs, median', 'Attempt']],
    ['?tab=reliability', ['Time to recovery', 'Commits that failed and then passed', 'Flaky jobs']],
    ['?tab=triggers&per_page=100', ['Events', 'Bots, by name Name Runs tide-updates']],
    ['?tab=cost', ['How cost is estimated', 'Wasted in these runs', 'Wasted spend of these runs']],
    ['?tab=runs', ['Queue wait', 'timed out']],
  ])('every tab has its twin %s', async (tab, says) => {
    const { status, content } = await visit.readPlain(`/demo/repos/lumen-harbor/beacon-api/workflows/41100${tab}`);
    expect(status).toBe(200);
    for (const one of says) expect(content).toContain(one);
  });
});
