import { type PanelRequest, panel } from '../../../server/http/adapters.ts';
import { getBilling, getCostAnalysis } from '../../../server/reports/cost/operations.ts';
import { requestedMonth } from './month.tsx';

/** What GitHub bills in a month: an organization, or the person who is signed in. */
export async function readBill(pageRequest: PanelRequest, owners: readonly string[]) {
  const { url, isDemo, services } = pageRequest.context;
  // The demo's visitor has no bill of their own.
  const org = url.searchParams.get('org') || (isDemo ? owners[0] : undefined);
  const extra = { org };
  const [organizationCost, personCost] = await Promise.all([
    org ? panel(getCostAnalysis, { ...pageRequest, extra }) : null,
    org ? null : panel(getBilling, { ...pageRequest, extra }),
  ]);
  const month = requestedMonth(url.searchParams, services.clock.now());
  return { org: org ?? null, organizationCost, personCost, month };
}
