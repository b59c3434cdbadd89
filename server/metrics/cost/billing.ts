import type { Instant } from '../kernel/facts.ts';
import { metric } from '../kernel/metric.ts';
import { roundTo } from '../kernel/statistics.ts';
import { billedSku, findPrice, type RunnerOs, runnerPrices, standardSkus } from './runner-prices.ts';

/** One line of a bill as the platform reports it. Amounts in USD, quantities in `unitType`, fractions included. */
export interface UsageItem {
  product: string;
  /** As written on the bill: `actions_linux`, `Actions Linux 4-core`. */
  sku: string;
  unitType: string;
  pricePerUnit: number;
  quantity: number;
  /** What is left to pay of the quantity; null where the report does not contain it. */
  netQuantity: number | null;
  grossAmount: number;
  discountAmount: number;
  netAmount: number;
  /** Start of the UTC day; null in a summary of a month. */
  day: Instant | null;
  repository: string | null;
}

/** Lines of the same product, SKU and unit together. */
export interface SkuUsage {
  product: string;
  sku: string;
  label: string;
  os: RunnerOs | null;
  /** `4-core`; null where the price book does not know the SKU. */
  size: string | null;
  unitType: string;
  pricePerUnit: number;
  quantity: number;
  /** null for other units. */
  minutes: number | null;
  grossAmount: number;
  discountAmount: number;
  netAmount: number;
}

/** Whether the line counts minutes; storage counts gigabyte-hours, which are none. */
export const isMinutes = ({ unitType }: Pick<UsageItem, 'unitType'>): boolean => /^minutes?$/i.test(unitType.trim());

export const usedMinutes = metric<UsageItem>({
  key: 'billed_minutes',
  label: 'Minutes',
  unit: 'minutes',
  digits: 2,
  better: 'neither',
  source: 'bill items in minutes',
  definition:
    'Runner minutes of the month as billed, before included minutes and discounts. Excludes storage, which is billed in gigabyte-hours.',
  valueWhenEmpty: 0,
  counts: (item) => isMinutes(item) || 'not billed in minutes',
  value: (items) => sumBy(items, ({ quantity }) => quantity),
});

export const netAmount = metric<UsageItem>({
  key: 'net_amount',
  label: 'Net amount',
  unit: 'usd',
  better: 'lower',
  source: 'bill items',
  definition: 'Amount due for the month so far, after included usage and discounts, over all products.',
  valueWhenEmpty: 0,
  counts: () => true,
  value: (items) => sumBy(items, (item) => item.netAmount),
});

export const grossAmount = metric<UsageItem>({
  key: 'gross_amount',
  label: 'Gross amount',
  unit: 'usd',
  better: 'lower',
  source: 'bill items',
  definition: 'Cost of the month so far before included usage and discounts, over all products.',
  valueWhenEmpty: 0,
  counts: () => true,
  value: (items) => sumBy(items, (item) => item.grossAmount),
});

/** Usage by SKU, most expensive first. `at` is the time whose prices identify a runner. */
export function usageBySku(items: readonly UsageItem[], at: Instant): SkuUsage[] {
  const groups = Map.groupBy(items, ({ product, sku, unitType }) =>
    [product, billedSku(sku) ?? sku, unitType].join('\n').toLowerCase(),
  );
  const rows = [...groups.values()].flatMap((group) => skuUsage(group, at) ?? []);
  return rows.sort((a, b) => b.grossAmount - a.grossAmount || (a.label < b.label ? -1 : 1));
}

export interface ProductUsage extends Amounts {
  product: string;
}

/** Amounts by product, most expensive first. */
export function usageByProduct(items: readonly UsageItem[]): ProductUsage[] {
  return [...Map.groupBy(items, ({ product }) => product.toLowerCase()).values()]
    .map((group) => ({ product: group[0]?.product ?? '', ...sumAmounts(group) }))
    .sort((a, b) => b.grossAmount - a.grossAmount || (a.product < b.product ? -1 : 1));
}

export interface RepositoryUsage extends Omit<Amounts, 'discountAmount'> {
  repo: string;
  minutes: number;
}

/** Amounts by repository, most expensive first; lines that name none are excluded. */
export function usageByRepository(items: readonly UsageItem[]): RepositoryUsage[] {
  const groups = Map.groupBy(items, ({ repository }) => repository ?? '');
  groups.delete('');
  return [...groups]
    .map(([repo, group]) => ({ repo, minutes: sumMinutes(group), ...sumAmounts(group) }))
    .sort((a, b) => b.grossAmount - a.grossAmount || (a.repo < b.repo ? -1 : 1));
}

/** SKUs billed in minutes that the price book does not know; runners of one's own have no price. */
export function unpricedSkus(items: readonly UsageItem[]): string[] {
  const unknown = items.filter(({ sku, ...item }) => isMinutes(item) && !/self.hosted/i.test(sku) && !billedSku(sku));
  return [...new Set(unknown.map(({ sku }) => sku))].sort();
}

/** Minutes by operating system; what names neither Windows nor macOS is Linux. Absent where nothing was used. */
export function minutesByOs(items: readonly UsageItem[]): Partial<Record<'MACOS' | 'UBUNTU' | 'WINDOWS', number>> {
  const groups = Map.groupBy(items.filter(isMinutes), ({ sku }) => breakdownKeys[getOs(sku) ?? 'linux']);
  return Object.fromEntries([...groups].map(([os, group]) => [os, sumMinutes(group)]));
}

export const sumMinutes = (items: readonly UsageItem[]): number => usedMinutes(items).value ?? 0;

/** Minutes that are left to pay; null where the report does not contain it. */
export function paidMinutes(items: readonly UsageItem[]): number | null {
  const quantities = items.filter(isMinutes).map(({ netQuantity }) => netQuantity);
  return quantities.includes(null) ? null : roundTo(sum(quantities.map(Number)), 2);
}

/** Whether included minutes can cover the line: a standard runner's. Larger runners never use them. */
export function isCoverable(item: UsageItem): boolean {
  const sku = billedSku(item.sku);
  return isMinutes(item) && sku !== null && standardSkus.has(sku);
}

/** How many included minutes a minute of the line takes up. */
export const quotaMultiplier = ({ sku }: Pick<UsageItem, 'sku'>): number =>
  ({ linux: 1, windows: 2, macos: 10 })[getOs(sku) ?? 'linux'];

/** Minutes a month that come with a plan; null for a plan that is not known. */
export const includedMinutes = (plan: string | null): number | null => monthly[plan?.toLowerCase() ?? ''] ?? null;

const monthly: Record<string, number> = {
  free: 2_000,
  pro: 3_000,
  team: 3_000,
  enterprise: 50_000,
  business_plus: 50_000,
};

const breakdownKeys = { linux: 'UBUNTU', macos: 'MACOS', windows: 'WINDOWS' } as const;

interface Amounts {
  grossAmount: number;
  discountAmount: number;
  netAmount: number;
}

const sumAmounts = (items: readonly UsageItem[]): Amounts => ({
  grossAmount: roundTo(
    sumBy(items, (item) => item.grossAmount),
    2,
  ),
  discountAmount: roundTo(
    sumBy(items, (item) => item.discountAmount),
    2,
  ),
  netAmount: roundTo(
    sumBy(items, (item) => item.netAmount),
    2,
  ),
});

function skuUsage(group: readonly UsageItem[], at: Instant): SkuUsage | null {
  const [newest] = group.toSorted((a, b) => (b.day ?? 0) - (a.day ?? 0));
  if (newest === undefined) return null;
  const { product, sku, unitType, pricePerUnit } = newest;
  const known = billedSku(sku);
  const price = known === null ? undefined : (findPrice(known, at) ?? runnerPrices.find((one) => one.sku === known));
  return {
    product,
    sku,
    unitType,
    pricePerUnit,
    label: formatLabel(sku),
    os: getOs(sku),
    size: price ? `${price.cores}-core` : null,
    quantity: roundTo(
      sumBy(group, ({ quantity }) => quantity),
      2,
    ),
    minutes: isMinutes(newest) ? sumMinutes(group) : null,
    ...sumAmounts(group),
  };
}

/** The operating system in a SKU's name. */
function getOs(sku: string): RunnerOs | null {
  if (/windows/i.test(sku)) return 'windows';
  if (/macos/i.test(sku)) return 'macos';
  return /linux|ubuntu/i.test(sku) ? 'linux' : null;
}

/** A SKU as a label: `actions_linux_4_core_arm` is `Linux 4-core ARM`. */
export function formatLabel(sku: string): string {
  const plain = sku.replaceAll('_', ' ').replace(/^actions (?=linux|windows|macos)/i, '');
  const tokens = plain.replace(/(\d+) core/i, '$1-core').split(' ');
  return tokens.map((word, at) => names[word.toLowerCase()] ?? (at === 0 ? capitalized(word) : word)).join(' ');
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const names: Record<string, string> = {
  linux: 'Linux',
  windows: 'Windows',
  macos: 'macOS',
  arm: 'ARM',
  gpu: 'GPU',
  l: 'large',
  xl: 'extra large',
};

/** A sum over lines, unrounded; the same for any order of them. */
export const sumBy = (items: readonly UsageItem[], of: (item: UsageItem) => number): number => sum(items.map(of));

/** Added as integer billionths: a sum of decimals in floating point can miss a half cent and round the wrong way. */
const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + Math.round(value * billion), 0) / billion;

const billion = 1e9;
