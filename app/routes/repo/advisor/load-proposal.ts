import { getMe } from '../../../../server/api/session/session.ts';
import { type PanelRequest, panel } from '../../../../server/http/adapters.ts';
import { getRecommendedPatch } from '../../../../server/reports/advisor/operations.ts';
import { type Advice, findChosen, maxChosen, type Proposal } from './chosen-changes.ts';

/** What can be proposed of the changes of an address, once it is known which are recommended. */
export async function loadProposal(
  pageRequest: PanelRequest,
  loading: Promise<{ advice: Advice }>,
  ids: readonly string[],
): Promise<Proposal> {
  const { chosen } = findChosen((await loading).advice, ids);
  const beside = { ...pageRequest, isOptional: true };
  const isPossible = chosen.length > 0 && chosen.length <= maxChosen;
  const patch = isPossible ? await panel(getRecommendedPatch, { ...beside, extra: { ids: chosen.join() } }) : null;
  const me = pageRequest.context.isDemo ? null : await panel(getMe, beside);
  return { patch, mayOpen: me?.ok ? me.data.features.includes('ciAdvisorPullRequest') : null };
}
