import type { BilledAccount, BillingReads } from '../codehost/billing/billing.ts';
import { includedMinutes, isCoverable, quotaMultiplier, type UsageItem } from '../metrics/cost/billing.ts';
import { type BillingMonth, daysIn, getMonthStart } from '../metrics/cost/burn-rate.ts';
import { findMinutePrice, jobCost } from '../metrics/cost/job-cost.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { randomStream } from '../metrics/kernel/random-stream.ts';
import { roundTo } from '../metrics/kernel/statistics.ts';
import { day, historyDays, toStartOfDay } from './calendar.ts';
import { notFound } from './lookup.ts';
import { around } from './random.ts';
import { same, type World } from './world.ts';

const plan = 'team';

/** The sample organization's bill: what the platform would have sent for the jobs of its runs, and for storage. */
export function demoBilling(world: World): BillingReads {
  const fresh = { stale: false, asOf: world.now };
  const listUsage = ({ kind, login }: BilledAccount, month: BillingMonth): UsageItem[] => {
    if (kind === 'user') return [];
    if (!same(login, world.organization.login)) throw notFound(`organization ${login}`);
    return usageIn(month, world);
  };
  return {
    billing: {
      usage: async (account, month) => ({ ...fresh, items: listUsage(account, month) }),
      summary: async (account, month, product) => {
        const items = listUsage(account, month).filter((one) => product === undefined || same(one.product, product));
        return { ...fresh, items: summed(items) };
      },
      plan: async ({ kind }) => ({ ...fresh, plan: kind === 'org' ? plan : 'free' }),
    },
  };
}

interface Meter {
  repository: string;
  product: string;
  sku: string;
  perDay: number;
}

/** What runs do not show: gigabyte-hours of a day, which knows no weekend. */
const meters: readonly Meter[] = [
  { product: 'Actions', repository: 'pilot-mobile', sku: 'actions_storage', perDay: 512.4 },
  { product: 'Packages', repository: 'harbor-gateway', sku: 'packages_storage', perDay: 288.25 },
];

const storagePrice = 0.000336;

/** Days of the month that are over, each line discounted while included minutes last. */
function usageIn(month: BillingMonth, world: World): UsageItem[] {
  let left = includedMinutes(plan) ?? 0;
  const lines = minuteLines(month, world).map((line) => {
    const free = isCoverable(line) ? Math.min(line.quantity, Math.floor(left / quotaMultiplier(line))) : 0;
    left -= free * quotaMultiplier(line);
    const discount = roundTo(free * line.pricePerUnit, 6);
    return {
      ...line,
      netQuantity: line.quantity - free,
      discountAmount: discount,
      netAmount: roundTo(line.grossAmount - discount, 6),
    };
  });
  return [...lines, ...storageLines(month, world.now)].sort((one, other) => (one.day ?? 0) - (other.day ?? 0));
}

/**
 * The jobs of the sample's runs by day, repository and price. Each is billed on the day its run was created, as the
 * cost of runs is dated; what costs nothing, as self-hosted runners, has no line.
 */
function minuteLines(month: BillingMonth, { repositories }: World): UsageItem[] {
  const [from, to] = [getMonthStart(month), getMonthStart(month) + daysIn(month) * day];
  const jobs = repositories.flatMap(({ repository, runs, attempts, jobs: listJobs }) =>
    runs
      .filter(({ createdAt }) => createdAt >= from && createdAt < to)
      .flatMap(({ id, createdAt }) =>
        attempts(id)
          .flatMap(({ attempt }) => listJobs(id, attempt))
          .map((job) => ({
            repository: repository.repo,
            day: toStartOfDay(createdAt),
            pricePerUnit: findMinutePrice(job, { isPublic: !repository.private }).usdPerMinute ?? 0,
            ...jobCost(job, { isPublic: !repository.private }),
          })),
      ),
  );
  const billed = jobs.filter(({ usd }) => usd !== null && usd > 0).sort((one, other) => one.day - other.day);
  const groups = Map.groupBy(billed, (job) => `${job.day} ${job.repository} ${job.sku} ${job.pricePerUnit}`);
  return [...groups.values()].flatMap(([first, ...others]): UsageItem[] => {
    if (first === undefined) return [];
    const quantity = [first, ...others].reduce((total, { minutes }) => total + (minutes ?? 0), 0);
    const gross = roundTo(quantity * first.pricePerUnit, 6);
    return [
      {
        product: 'Actions',
        sku: `actions_${first.sku}`,
        unitType: 'Minutes',
        pricePerUnit: first.pricePerUnit,
        quantity,
        repository: first.repository,
        day: first.day,
        netQuantity: quantity,
        grossAmount: gross,
        discountAmount: 0,
        netAmount: gross,
      },
    ];
  });
}

function storageLines(month: BillingMonth, now: Instant): UsageItem[] {
  const dates = Array.from({ length: daysIn(month) }, (_, index) => getMonthStart(month) + index * day);
  return dates
    .filter((date) => date < now && date >= now - historyDays * day)
    .flatMap((date) =>
      meters.map(({ perDay, ...meter }) => {
        const quantity = roundTo(perDay * around(randomStream('bill', meter.repository, meter.sku, date), 0.25), 4);
        const amount = roundTo(quantity * storagePrice, 6);
        return {
          ...meter,
          unitType: 'GigabyteHours',
          pricePerUnit: storagePrice,
          quantity,
          day: date,
          netQuantity: quantity,
          grossAmount: amount,
          discountAmount: 0,
          netAmount: amount,
        };
      }),
    );
}

/** The same month by SKU alone. */
function summed(items: readonly UsageItem[]): UsageItem[] {
  return [...Map.groupBy(items, ({ sku }) => sku).values()].flatMap((group) => {
    const [first] = group;
    const total = (of: (item: UsageItem) => number) =>
      roundTo(
        group.reduce((sum, item) => sum + of(item), 0),
        6,
      );
    if (first === undefined) return [];
    return {
      ...first,
      day: null,
      repository: null,
      quantity: total((item) => item.quantity),
      netQuantity: total((item) => item.netQuantity ?? 0),
      grossAmount: total((item) => item.grossAmount),
      discountAmount: total((item) => item.discountAmount),
      netAmount: total((item) => item.netAmount),
    };
  });
}
