import { type Panel, type PanelRequest, type PanelsOf, panel } from '../../../server/http/adapters.ts';
import { type Deferred, deferAnswers, deferPanels } from '../../../server/http/deferred-panels.ts';
import { getBilling, getCostAnalysis } from '../../../server/reports/cost/operations.ts';
import { getOrganizations } from '../../../server/reports/repositories/operations.ts';
import { type CalendarMonth, requestedMonth } from './month.tsx';

type Answers = PanelsOf<{ organization: typeof getCostAnalysis; person: typeof getBilling }>;
export type ListedOrganizations = PanelsOf<{ organizations: typeof getOrganizations }>;

/** The bill of a month: of an organization, or of the person who is signed in. */
export interface Bill {
  /** null for the person's own. */
  org: string | null;
  month: CalendarMonth;
}

/** What is known of it, and whose bill can be looked at instead. */
export interface BillAnswers {
  bill: Bill;
  organizations: Deferred<ListedOrganizations>;
  amounts: Deferred<Amounts>;
}

/** One of the two is null. */
export interface Amounts {
  organizationCost: Answers['organization'] | null;
  personCost: Answers['person'] | null;
}

export async function readBill(pageRequest: PanelRequest): Promise<BillAnswers> {
  const { url, isDemo, services } = pageRequest.context;
  const listing = deferPanels(pageRequest, { organizations: getOrganizations });
  // The demo's visitor has no bill of their own.
  const org = url.searchParams.get('org') || (isDemo ? await findFirst(await listing) : null);
  const [{ panels: organizations }, { panels: amounts }] = await Promise.all([
    listing,
    deferAnswers(pageRequest, readAmounts(pageRequest, org), (failed) => toAmounts(org, failed)),
  ]);
  return { bill: { org, month: requestedMonth(url.searchParams, services.clock.now()) }, organizations, amounts };
}

async function findFirst({ panels }: { panels: Deferred<ListedOrganizations> }): Promise<string | null> {
  const { organizations } = await panels;
  return (organizations.ok && organizations.data[0]?.login) || null;
}

async function readAmounts(pageRequest: PanelRequest, org: string | null): Promise<Amounts> {
  const extra = { org: org ?? undefined };
  if (org === null) return { organizationCost: null, personCost: await panel(getBilling, { ...pageRequest, extra }) };
  return { organizationCost: await panel(getCostAnalysis, { ...pageRequest, extra }), personCost: null };
}

const toAmounts = (org: string | null, failed: Panel<never>): Amounts =>
  org === null ? { organizationCost: null, personCost: failed } : { organizationCost: failed, personCost: null };
