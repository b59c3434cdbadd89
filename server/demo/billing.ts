import type { BilledAccount, BillingReads } from '../codehost/billing/billing.ts';
import { quotaMultiplier, type UsageItem } from '../metrics/cost/billing.ts';
import { type BillingMonth, daysIn, getMonthStart } from '../metrics/cost/burn-rate.ts';
import { findPrice } from '../metrics/cost/runner-prices.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { roundTo } from '../metrics/kernel/statistics.ts';
import { day } from './calendar.ts';
import { notFound } from './lookup.ts';
import { around, randomStream } from './random.ts';
import { same, type World } from './world.ts';

/** The sample organization's bill: what the platform would have sent for its days so far. */
export function demoBilling(world: World): BillingReads {
  const fresh = { stale: false, asOf: world.now };
  const listUsage = ({ kind, login }: BilledAccount, month: BillingMonth): UsageItem[] => {
    if (kind === 'user') return [];
    if (!same(login, world.organization.login)) throw notFound(`organization ${login}`);
    return usageIn(month, world.now);
  };
  return {
    billing: {
      usage: async (account, month) => ({ ...fresh, items: listUsage(account, month) }),
      summary: async (account, month, product) => {
        const items = listUsage(account, month).filter((one) => product === undefined || same(one.product, product));
        return { ...fresh, items: summed(items) };
      },
      plan: async ({ kind }) => ({ ...fresh, plan: kind === 'org' ? 'team' : 'free' }),
    },
  };
}

interface Meter {
  repository: string;
  product: string;
  sku: string;
  unitType: string;
  /** Usual quantity of a working day; storage knows no weekend. */
  perDay: number;
  /** What the price list cannot express. */
  price?: number;
}

const minutes = { product: 'Actions', unitType: 'Minutes' };
const storage = { unitType: 'GigabyteHours', price: 0.000336 };

const meters: readonly Meter[] = [
  { ...minutes, repository: 'tidewater-web', sku: 'actions_linux', perDay: 61 },
  { ...minutes, repository: 'beacon-api', sku: 'actions_linux', perDay: 38 },
  { ...minutes, repository: 'harbor-gateway', sku: 'actions_linux_4_core', perDay: 74 },
  { ...minutes, repository: 'pilot-mobile', sku: 'actions_macos', perDay: 9 },
  { ...minutes, repository: 'anchor-charts', sku: 'actions_windows', perDay: 6 },
  { ...minutes, repository: 'pilot-mobile', sku: 'actions_linux_8_core_riscv', perDay: 3, price: 0.031 },
  { ...storage, product: 'Actions', repository: 'tidewater-web', sku: 'actions_storage', perDay: 512.4 },
  { ...storage, product: 'Packages', repository: 'harbor-gateway', sku: 'packages_storage', perDay: 288.25 },
];

const included = 3_000;

/** Days of the month that are over, each line discounted while included minutes last. */
function usageIn(month: BillingMonth, now: Instant): UsageItem[] {
  const items: UsageItem[] = [];
  let left = included;
  for (let index = 0; index < daysIn(month) && getMonthStart(month) + index * day < now; index++) {
    const date = getMonthStart(month) + index * day;
    for (const meter of meters) {
      const item = usageOn(date, meter, left);
      if (item === null) continue;
      items.push(item);
      if (isIncluded(item)) left -= (item.quantity - (item.netQuantity ?? 0)) * quotaMultiplier(item);
    }
  }
  return items;
}

function usageOn(date: Instant, meter: Meter, left: number): UsageItem | null {
  const { product, repository, sku, unitType, perDay, price } = meter;
  const random = randomStream('bill', repository, sku, date);
  const isRunner = unitType === 'Minutes';
  const pace = isRunner && [0, 6].includes(new Date(date).getUTCDay()) ? 0.12 : 1;
  const quantity = roundTo(perDay * pace * around(random, 0.25), isRunner ? 0 : 4);
  if (quantity === 0) return null;
  const pricePerUnit = price ?? findPrice(sku.replace(/^actions_/, ''), date)?.usdPerMinute ?? 0;
  const free = isIncluded(meter) ? Math.min(quantity, Math.floor(left / quotaMultiplier({ sku }))) : 0;
  const gross = roundTo(quantity * pricePerUnit, 6);
  const discount = roundTo(free * pricePerUnit, 6);
  return {
    product,
    sku,
    unitType,
    pricePerUnit,
    quantity,
    repository,
    day: date,
    netQuantity: quantity - free,
    grossAmount: gross,
    discountAmount: discount,
    netAmount: roundTo(gross - discount, 6),
  };
}

const standard: ReadonlySet<string> = new Set(['actions_linux', 'actions_windows', 'actions_macos']);

const isIncluded = ({ sku }: { sku: string }) => standard.has(sku);

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
