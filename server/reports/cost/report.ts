import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { BilledAccount, BillingReads } from '../../codehost/billing/billing.ts';
import type { Freshness, Listing } from '../../codehost/client/client.ts';
import {
  grossAmount,
  includedMinutes,
  minutesByOs,
  netAmount,
  paidMinutes,
  sumMinutes,
  usageBySku,
} from '../../metrics/cost/billing.ts';
import { getMonthStart } from '../../metrics/cost/burn-rate.ts';
import { Problem } from '../../platform/problem.ts';
import { noteListing } from '../kernel/notes.ts';
import { type BillingReport, billingMonth, type MonthInput } from './schema.ts';

/** What runners of an organization, or of the caller, used and cost in a month. */
export async function billing(
  { org, ...params }: MonthInput & { org?: string | undefined },
  context: Context,
  reply: Reply,
): Promise<Domain<typeof BillingReport>> {
  const month = billingMonth(params, context.services.clock.now());
  const codehost = await context.codehost();
  const account: BilledAccount = org
    ? { kind: 'org', login: org }
    : { kind: 'user', login: (await context.actor()).login };
  const [usage, { plan, read }] = await Promise.all([
    codehost.billing.summary(account, month, 'Actions'),
    readablePlan(codehost, account),
  ]);
  const { items } = usage;
  noteBill(reply, [usage, read], read === null);
  return {
    ...account,
    period: month,
    plan,
    includedMinutes: includedMinutes(plan),
    estimatedIncluded: true,
    totalMinutesUsed: sumMinutes(items),
    totalPaidMinutesUsed: paidMinutes(items),
    minutesUsedBreakdown: minutesByOs(items),
    grossAmount: grossAmount(items).value ?? 0,
    netAmount: netAmount(items).value ?? 0,
    bySku: usageBySku(items, getMonthStart(month)),
    source: 'usage_summary',
    generatedAt: usage.asOf,
    dataSource: 'live',
  };
}

/** The account's plan; null where it is hidden. A failure to read it leaves the bill readable: `read` is null then. */
export async function readablePlan(
  { billing: { plan } }: BillingReads,
  account: BilledAccount,
): Promise<{ plan: string | null; read: Freshness | null }> {
  try {
    const read = await plan(account);
    return { plan: read.plan, read };
  } catch (error) {
    if (error instanceof Problem && error.code !== 'unauthenticated') return { plan: null, read: null };
    throw error;
  }
}

type BillPart = Freshness & Pick<Listing<unknown>, 'partialReason'>;

/** Reports beside the body how fresh the parts are, and whether one is missing. */
export function noteBill(reply: Reply, parts: readonly (BillPart | null)[], partial: boolean) {
  for (const part of parts) if (part) noteListing(reply, { ...part, partial });
}
