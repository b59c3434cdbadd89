// Scrapes of `/metrics` with ten thousand series of repositories on PostgreSQL: how long one takes, how large it is, and
// for how long the event loop stands still meanwhile.  node tests/bench/openmetrics.mjs [series] [scrapes]
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createScraper } from '../../server/openmetrics/scraper.ts';
import { readEnv } from '../../server/platform/env.ts';
import { createLog } from '../../server/platform/log.ts';
import { createDatabase } from '../support/created-databases.ts';
import { findPrograms, startServer } from '../support/postgres.ts';
import { median, openBench, print, timed } from './made.mjs';

const [series = 10_000, scrapes = 30] = process.argv.slice(2).map(Number);
/** What `valuesOf` comes to, with the samples and the age that a scrape adds. */
const seriesOfOne = 20;
const now = Date.UTC(2026, 10, 28, 12);
const hour = 3_600_000;
const secrets = {
  SESSION_SECRET: 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo',
  METRICS_TOKEN: 'n2Vb84kQwe7RtYu1opAs3dFgHjKlZx9c',
};

const programs = findPrograms();
if (!programs) throw new Error('PostgreSQL is not installed here.');
const postgres = await startServer(programs);
const url = await createDatabase(postgres.socket);
const store = await openBench(url);
try {
  for (let number = 1; number <= series / seriesOfOne; number++) await addRepository(number);
  const env = readEnv({ DATABASE_URL: url, METRICS_REPOSITORIES: 'all', ...secrets });
  let moment = now;
  const clock = { now: () => moment };
  const jobs = { names: [], overdue: () => [] };
  const scraper = createScraper({ env, store, clock, log: createLog('silent'), jobs, budgets: () => new Map() });
  const [times, blocks] = [[], []];
  let text = '';
  for (let round = 0; round < scrapes; round++) {
    moment += 2000;
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const ms = await timed(async () => {
      text = await scraper.read('openmetrics');
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    delay.disable();
    // The first ones also compile.
    if (round < 3) continue;
    times.push(ms);
    blocks.push(delay.max / 1e6);
  }
  const shown = text.split('\n').filter((line) => /^das_(repository|workflow)_/.test(line)).length;
  print(`${shown} series, ${times.length} scrapes`, {
    'a scrape, ms': { median: median(times).toFixed(1), most: Math.max(...times).toFixed(1), goal: 250 },
    'longest block, ms': { median: median(blocks).toFixed(1), most: Math.max(...blocks).toFixed(1), goal: 20 },
    'text, MiB': { median: (Buffer.byteLength(text) / 2 ** 20).toFixed(2), most: '', goal: 1.5 },
  });
} finally {
  await store.close();
  await postgres.stop();
}

async function addRepository(number) {
  const repository = {
    id: number,
    owner: 'acme',
    repo: `service-${number}`,
    htmlUrl: `https://codehost.test/acme/service-${number}`,
    defaultBranch: 'main',
    archived: false,
    private: false,
  };
  const id = await store.repositories.track(repository, 'bench', now);
  await store.exportedValues.replace(id, valuesOf(number));
}

function valuesOf(number) {
  const value = (family, labels, n = null) => ({
    family: `das_repository_${family}`,
    labels,
    value: number * 1.37,
    n,
    asOf: now - hour,
  });
  const [window, quarter] = ['30d', '90d'];
  const quantiles = (family, days, ...of) => of.map((quantile_of) => value(family, { window: days, quantile_of }, 40));
  return [
    ...['pass', 'fail', 'void'].map((conclusion_class) => value('workflow_runs', { window, conclusion_class })),
    value('workflow_success_ratio', { window }, 40),
    ...quantiles('workflow_duration_seconds', window, '0.5', '0.9'),
    ...quantiles('workflow_queue_seconds', window, '0.5', '0.9'),
    value('ci_cost_usd', { window, basis: 'estimated' }, 40),
    ...quantiles('lead_time_seconds', quarter, '0.5', '0.95'),
    value('change_failure_ratio', { window: quarter, source: 'pull_requests' }, 40),
    value('pull_requests_merged', { window: quarter }),
    value('data_age_seconds', {}),
    { ...value('rank', {}), family: 'rank' },
  ];
}
