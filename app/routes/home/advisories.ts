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

/** The critical advisories of an organization, or why they are not known; null where there is no organization. */
export type Advisories =
  | { state: 'read'; data: Security }
  | { state: 'unread'; org: string | null }
  | { state: 'several_organizations' }
  | null;

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
  const { panels } = await deferAnswers<Advisories>(pageRequest, loading, () => ({ state: 'unread', org: null }));
  return { found: panels };
}

async function loadAdvisories(pageRequest: PanelRequest, listing: Promise<Organizations>): Promise<Advisories> {
  const chosen = pageRequest.context.url.searchParams.get('org');
  if (chosen) return readOrganization(pageRequest, chosen);
  const { organizations } = await listing;
  if (!organizations.ok) return { state: 'unread', org: null };
  const [only, ...others] = organizations.data;
  if (!only) return null;
  return others.length > 0 ? { state: 'several_organizations' } : readOrganization(pageRequest, only.login);
}

async function readOrganization(pageRequest: PanelRequest, org: string): Promise<Advisories> {
  const limit = readRepositories[pageRequest.context.isDemo ? 'sample' : 'own'];
  const extra = { org, severity: 'critical', source: 'dependabot', limit, page: undefined };
  const answer: Panel<Security> = await panel(getOrganizationSecurity, { ...pageRequest, extra });
  return answer.ok ? { state: 'read', data: answer.data } : { state: 'unread', org };
}
