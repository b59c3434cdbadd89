import type { Clock } from '../platform/clock.ts';
import type { Env } from '../platform/env.ts';
import { type ExpositionFormat, writeExposition } from '../platform/exposition.ts';
import type { Log } from '../platform/log.ts';
import type { Measured } from '../platform/metric-family.ts';
import { processCounters } from '../platform/process-metrics.ts';
import type { Store } from '../store/orm.ts';
import { type BudgetLeft, measureBudgets } from './budget.ts';
import { measureDatabase } from './database.ts';
import { measureProcess, observeEventLoop } from './process.ts';
import { measureWhatIsStored, type WatchedJobs } from './stored.ts';

/** What `/metrics` shows of one process. */
export interface Scraper {
  /** The text of now, or of less than a second ago. Never rejects because of the database. */
  read(format: ExpositionFormat): Promise<string>;
}

interface Scrape {
  at: number;
  families: Promise<readonly Measured[]>;
  texts: Map<ExpositionFormat, Promise<string>>;
}

/** Whoever asks within this time after a scrape is given the same bytes. */
const reusedMs = 1000;

export interface ScraperOptions {
  env: Env;
  store: Store | null;
  clock: Clock;
  log: Log;
  jobs: WatchedJobs;
  /** What is left of the budgets of the service's token, by resource. */
  budgets(): ReadonlyMap<string, BudgetLeft>;
}

/** One scrape is computed at a time; nothing is observed before the first. */
export function createScraper(options: ScraperOptions): Scraper {
  let eventLoop: ReturnType<typeof observeEventLoop> | undefined;
  const { store, log } = options;
  const database = store && measureDatabase({ store, log }, () => measureWhatIsStored({ ...options, store }));
  let latest: Scrape | null = null;
  const compute = async (): Promise<readonly Measured[]> => {
    eventLoop ??= observeEventLoop();
    const stored = (await database?.()) ?? [];
    return [
      ...measureProcess(options.env, eventLoop),
      ...processCounters.map((counter) => counter.measured()),
      ...measureBudgets(options.budgets(), options.clock.now()),
      ...stored,
    ];
  };
  const begin = (): Scrape => {
    const scrape: Scrape = { at: Number.POSITIVE_INFINITY, families: compute(), texts: new Map() };
    const end = () => {
      scrape.at = options.clock.now();
    };
    scrape.families.then(end, end);
    return scrape;
  };
  return {
    read(format) {
      const age = latest ? options.clock.now() - latest.at : Number.NaN;
      // One that is under way has no age yet; after a clock that was set back another is computed.
      const isReusable = latest !== null && (age === Number.NEGATIVE_INFINITY || (age >= 0 && age < reusedMs));
      if (!isReusable) latest = begin();
      const { families, texts } = latest as Scrape;
      const text = texts.get(format) ?? families.then((measured) => writeExposition(measured, format));
      texts.set(format, text);
      return text;
    },
  };
}
