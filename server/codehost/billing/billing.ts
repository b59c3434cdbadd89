import { z } from 'zod';
import type { UsageItem } from '../../metrics/cost/billing.ts';
import { type BillingMonth, daysIn, getMonthStart } from '../../metrics/cost/burn-rate.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { Problem, type ProblemCode } from '../../platform/problem.ts';
import type { Freshness } from '../client/client.ts';
import { accountParams, organizationParams } from '../client/names.ts';
import { describePartial, type ReadableItems, readableItems } from '../client/readable-items.ts';
import type { Reader, Reading } from '../client/reader.ts';
import { instant, maybeText } from '../client/wire.ts';

/** Whose bill: an organization's, or that of the person behind the token. */
export interface BilledAccount {
  kind: 'org' | 'user';
  login: string;
}

export interface Usage extends Freshness {
  items: UsageItem[];
  /** See `Listing`: the sums are too small then. */
  partialReason?: string | undefined;
}

/**
 * Reads of the platform's bill, in UTC months; the running one is cached for half an hour, past ones for a day. Every
 * method throws `Problem`; where the token may not see the bill, the sentence names the permission it lacks.
 */
export interface BillingReads {
  billing: {
    /** A month summed by SKU, of one product where that is given. */
    summary(account: BilledAccount, month: BillingMonth, product?: string): Promise<Usage>;
    /** A month by day, SKU and repository. What is left to pay is reported in amounts only. */
    usage(account: BilledAccount, month: BillingMonth): Promise<Usage>;
    /** Name of the account's plan; null when the token may not see it. */
    plan(account: BilledAccount): Promise<{ plan: string | null } & Freshness>;
  };
}

export const createBilling = (reader: Reader): BillingReads => ({
  billing: {
    summary: (account, month, product) => readUsage(reader, account, summaryReading(account, month, product)),
    usage: (account, month) => readUsage(reader, account, reportReading(account, month)),
    async plan(account) {
      const { value: plan, stale, asOf } = await reader.read(planReading(account));
      return { plan, stale, asOf };
    },
  },
});

const halfHourMs = 30 * 60_000;

async function readUsage(
  reader: Reader,
  account: BilledAccount,
  reading: Reading<ReadableItems<UsageItem>>,
): Promise<Usage> {
  const { value, stale, asOf } = await reader.read(reading).catch((error: unknown) => {
    throw explained(error, account);
  });
  return { items: value.items, partialReason: describePartial(reading.operation, value.excluded), stale, asOf };
}

const amounts = {
  product: z.string(),
  sku: z.string(),
  unitType: z.string(),
  pricePerUnit: z.number(),
  grossAmount: z.number(),
  discountAmount: z.number(),
  netAmount: z.number(),
};

/** An account that used nothing may have no list. */
const nothingUsed: ReadableItems<UsageItem> = { items: [], excluded: null };

const summarySchema = z.object({
  usageItems: readableItems(
    z
      .object({ ...amounts, grossQuantity: z.number(), netQuantity: z.number() })
      .transform(
        ({ grossQuantity, ...item }): UsageItem => ({ ...item, quantity: grossQuantity, day: null, repository: null }),
      ),
  ).default(nothingUsed),
});

const reportSchema = z.object({
  usageItems: readableItems(
    z.object({ ...amounts, quantity: z.number(), date: instant, repositoryName: maybeText }).transform(
      ({ date, repositoryName, ...item }): UsageItem => ({
        ...item,
        netQuantity: null,
        day: date - (date % dayMs),
        repository: repositoryName || null,
      }),
    ),
  ).default(nothingUsed),
});

const summaryReading = (
  account: BilledAccount,
  month: BillingMonth,
  product?: string,
): Reading<ReadableItems<UsageItem>> => ({
  operation: 'billing usage summary',
  ...toRoute(account, '/summary'),
  params: { ...toParams(account), ...month, ...(product === undefined ? {} : { product }) },
  read: (data) => summarySchema.parse(data).usageItems,
  freshMs: (_, now) => freshMs(month, now),
  staleIfError: true,
});

const reportReading = (account: BilledAccount, month: BillingMonth): Reading<ReadableItems<UsageItem>> => ({
  operation: 'billing usage',
  ...toRoute(account, ''),
  params: { ...toParams(account), ...month },
  read: (data) => reportSchema.parse(data).usageItems,
  freshMs: (_, now) => freshMs(month, now),
  staleIfError: true,
});

const toRoute = ({ kind }: BilledAccount, path: string) => ({
  route: `GET ${kind === 'org' ? '/organizations/{org}' : '/users/{username}'}/settings/billing/usage${path}`,
});

function toParams({ kind, login }: BilledAccount): Record<string, string> {
  return kind === 'org' ? organizationParams(login) : { username: accountParams(login).login };
}

/** A month is not closed on its last day: usage arrives late, so the month is read often for two days more. */
function freshMs(month: BillingMonth, now: Instant): number {
  const end = getMonthStart(month) + daysIn(month) * dayMs;
  return now < end + 2 * dayMs ? halfHourMs : dayMs;
}

const planSchema = z.object({ plan: z.object({ name: z.string() }).nullish() });

const planReading = (account: BilledAccount): Reading<string | null> => ({
  operation: 'get plan',
  route: account.kind === 'org' ? 'GET /orgs/{org}' : 'GET /user',
  params: account.kind === 'org' ? organizationParams(account.login) : {},
  part: 'plan',
  read: (data) => planSchema.parse(data).plan?.name ?? null,
  freshMs: () => halfHourMs,
  staleIfError: true,
});

/** An error with what would help against it; any other error as it is. */
function explained(error: unknown, { kind, login }: BilledAccount): unknown {
  if (!(error instanceof Problem)) return error;
  const explanation = explanations[error.code];
  if (!explanation) return error;
  const { details } = error;
  return new Problem(error.code, `${explanation(login)} ${permissions[kind]}`, details ? { details } : {});
}

const explanations: Partial<Record<ProblemCode, (login: string) => string>> = {
  upstream_forbidden: (login) => `The token may not read the billing of ${login}.`,
  not_found: (login) => `There is no billing of ${login}, or it is hidden from this token.`,
};

const permissions = {
  org: 'It takes an owner or billing manager of the organization, with a fine-grained token that has the organization permission "Administration: read", or a classic token with the scope "admin:org".',
  user: 'It takes your own fine-grained token with the account permission "Plan: read", or a classic token with the scope "user".',
};
