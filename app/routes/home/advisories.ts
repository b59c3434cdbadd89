import { type Panel, type PanelRequest, type PanelsOf, panel } from '../../../server/http/adapters.ts';
import { type Deferred, deferAnswers } from '../../../server/http/deferred-panels.ts';
import { isOffered } from '../../../server/http/page-access.ts';
import { getOrganizationSecurity } from '../../../server/reports/organization-security/operations.ts';
import type { getOrganizations } from '../../../server/reports/repositories/operations.ts';
import { getSecurityAlerts } from '../../../server/reports/security-alerts/operations.ts';
import type { Security } from '../security/labels.ts';

/**
 * The lists of the organization tell how far an advisory reaches; of so many repositories it is read what fixes it.
 * The sample has no such lists, and costs nothing to read.
 */
const readRepositories = { own: '4', sample: '50' };

type Organizations = PanelsOf<{ organizations: typeof getOrganizations }>;

/** The critical advisories of an organization; null where it is not known which, or what is open in it. */
export type Advisories = Security | null;

/**
 * What is critical in the dependencies of the organization of the address, else of the reader's only one. In an object,
 * because a promise that is returned would be awaited; null where the reader has no security alerts.
 */
export async function readAdvisories(
  pageRequest: PanelRequest,
  listing: Promise<Organizations>,
): Promise<{ found: Deferred<Advisories> } | null> {
  const { context } = pageRequest;
  if (!(await isOffered(getSecurityAlerts, context))) return null;
  const loading = loadAdvisories({ ...pageRequest, isOptional: true }, listing);
  const { panels } = await deferAnswers<Advisories>(pageRequest, loading, () => null);
  return { found: panels };
}

async function loadAdvisories(pageRequest: PanelRequest, listing: Promise<Organizations>): Promise<Advisories> {
  const org = pageRequest.context.url.searchParams.get('org') || findOnly(await listing);
  if (!org) return null;
  const limit = readRepositories[pageRequest.context.isDemo ? 'sample' : 'own'];
  const extra = { org, severity: 'critical', source: 'dependabot', limit, page: undefined };
  const answer: Panel<Security> = await panel(getOrganizationSecurity, { ...pageRequest, extra });
  return answer.ok ? answer.data : null;
}

function findOnly({ organizations }: Organizations): string | null {
  const [only, ...others] = organizations.ok ? organizations.data : [];
  return only && others.length === 0 ? only.login : null;
}
