import { type Answer, expectRejected, type Handler, notFound, ok, type RestRequest } from './answers.ts';
import { sameName } from './world.ts';

/** One line of a bill: what was used on a day, by which repository. */
export interface BilledUse {
  /** `2026-11-03`. */
  date: string;
  product: string;
  sku: string;
  unitType: string;
  pricePerUnit: number;
  quantity: number;
  /** How much of the quantity is left to pay; all of it when not said. */
  net?: number;
  /** Absent for what belongs to no repository. */
  repositoryName?: string;
}

/** The bill of an organization or a person. */
export interface DoubleBill {
  /** As an organization's or a person's login. */
  login: string;
  plan: string;
  /** Tokens that may read it; members with others are rejected, everybody else finds nothing. */
  tokens: string[];
  uses: BilledUse[];
}

/** Usage reports of the enhanced billing platform, by operation id. */
export const billingHandlers: Record<string, Handler> = {
  'billing/get-github-billing-usage-report-org': (request) => withBill(request, request.params.org, report),
  'billing/get-github-billing-usage-summary-report-org': (request) => withBill(request, request.params.org, summary),
  'billing/get-github-billing-usage-report-user': (request) => withBill(request, request.params.username, report),
  'billing/get-github-billing-usage-summary-report-user': (request) =>
    withBill(request, request.params.username, summary),
};

/** The reports that the platform took away: they answer 410 to everybody. */
export const isRetired = (path: string) =>
  /^\/(orgs|users)\/[^/]+\/settings\/billing\/(actions|packages|shared-storage)$/.test(path);

/** The plan as the account itself names it, for tokens that may read the bill. */
export function planOf({ world, token }: RestRequest, login: string): { plan?: object } {
  const bill = world.bills?.find((one) => sameName(one.login, login));
  if (!bill?.tokens.includes(token.token)) return {};
  return {
    plan: { name: bill.plan, space: 976_562_499, private_repos: 9999, filled_seats: 2, seats: 5, collaborators: 0 },
  };
}

function withBill(
  request: RestRequest,
  login = '',
  answer: (uses: BilledUse[], request: RestRequest, bill: DoubleBill) => Answer,
) {
  const { world, token, query } = request;
  const bill = world.bills?.find((one) => sameName(one.login, login));
  const account = world.accounts.find((one) => one.login === token.login);
  const isNear = account?.memberOf.includes(bill?.login ?? '') || sameName(token.login, login);
  if (!bill || !isNear) return notFound();
  if (!bill.tokens.includes(token.token))
    return expectRejected(403, 'Resource not accessible by personal access token');
  const today = new Date(world.now);
  const year = Number(query.get('year') ?? today.getUTCFullYear());
  const month = Number(query.get('month') ?? today.getUTCMonth() + 1);
  if (month < 1 || month > 12) return expectRejected(400, 'Invalid month');
  const product = query.get('product');
  const uses = bill.uses.filter(({ date, ...use }) => {
    const isOfMonth = date.startsWith(`${year}-${String(month).padStart(2, '0')}-`) && Date.parse(date) <= world.now;
    return isOfMonth && (product === null || sameName(use.product, product));
  });
  return answer(uses, request, bill);
}

function report(uses: BilledUse[], _: RestRequest, { login }: DoubleBill): Answer {
  return ok({
    usageItems: uses.map(({ net, date, ...use }) => ({
      date: `${date}T00:00:00Z`,
      ...use,
      ...amounts(use.pricePerUnit, use.quantity, net ?? use.quantity),
      organizationName: login,
    })),
  });
}

function summary(uses: BilledUse[], { params, query }: RestRequest, { login }: DoubleBill): Answer {
  const bySku = Map.groupBy(uses, ({ product, sku }) => `${product} ${sku}`);
  const usageItems = [...bySku.values()].map((group) => {
    const { product, sku, unitType, pricePerUnit } = group[0] as BilledUse;
    const quantity = group.reduce((sum, use) => sum + use.quantity, 0);
    const net = group.reduce((sum, use) => sum + (use.net ?? use.quantity), 0);
    return {
      product,
      sku,
      unitType,
      pricePerUnit,
      grossQuantity: quantity,
      discountQuantity: quantity - net,
      netQuantity: net,
      ...amounts(pricePerUnit, quantity, net),
    };
  });
  const request = { year: Number(query.get('year')), month: Number(query.get('month')) };
  return ok({ timePeriod: request, [params.org === undefined ? 'user' : 'organization']: login, usageItems });
}

const amounts = (price: number, quantity: number, net: number) => ({
  grossAmount: price * quantity,
  discountAmount: price * (quantity - net),
  netAmount: price * net,
});
