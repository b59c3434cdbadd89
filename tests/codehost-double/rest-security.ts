import type { AlertSource } from '../../server/metrics/security/security-alerts.ts';
import {
  type Answer,
  byNumber,
  expectRejected,
  type Handler,
  notFound,
  ok,
  paged,
  type RestRequest,
} from './answers.ts';
import { withOrganization } from './rest-accounts.ts';
import { within } from './rest-repositories.ts';
import { type DoubleAlert, sourceErrors, stateWord } from './security.ts';
import { publishedAdvisory } from './wire-advisory.ts';
import { wireAlerts, wireOrganizationAlert } from './wire-security.ts';
import { type DoubleOrganization, type DoubleRepository, sameName, sees } from './world.ts';

/** Security alerts, by operation id. */
export const securityHandlers: Record<string, Handler> = {
  'security-advisories/list-global-advisories': ({ world, query }) =>
    ok((world.advisories ?? []).filter(({ id }) => id === query.get('ghsa_id')).map(publishedAdvisory)),
  'dependabot/list-alerts-for-repo': (request) => ofRepository(request, 'dependabot'),
  'code-scanning/list-alerts-for-repo': (request) => ofRepository(request, 'code_scanning'),
  'secret-scanning/list-alerts-for-repo': (request) => ofRepository(request, 'secret_scanning'),
  'dependabot/list-alerts-for-org': (request) => ofOrganization(request, 'dependabot'),
  'code-scanning/list-alerts-for-org': (request) => ofOrganization(request, 'code_scanning'),
  'secret-scanning/list-alerts-for-org': (request) => ofOrganization(request, 'secret_scanning'),
};

/** An alert with the repository that it is about. */
interface Placed {
  repository: DoubleRepository;
  one: DoubleAlert;
}

const ofRepository = (request: RestRequest, source: AlertSource): Answer =>
  within(request, (repository) => {
    const { error: refusal } = repository.security[source];
    if (refusal) return expectRejected(refusal.status, refusal.message);
    const { items, headers } = selectPage(request, source, [repository], byNumber(repository, listPath(request, 4)));
    const shape = wireAlerts[source];
    return ok(
      items.map(({ one }) => shape(request, repository, one)),
      headers,
    );
  });

/** Of all repositories that are seen and whose source gives alerts; of archived ones it gives none. */
const ofOrganization = (request: RestRequest, source: AlertSource): Answer =>
  withOrganization(request, (organization) => {
    if (!mayRead(request, organization)) return source === 'dependabot' ? denied() : notFound();
    const { world, token } = request;
    const repositories = world.repositories.filter(
      (one) =>
        one.facts.owner === organization.login &&
        !one.facts.archived &&
        sees(world, token, one) &&
        one.security[source].error === null,
    );
    const linkPath = `/organizations/${organization.id}${listPath(request, 3)}`;
    const { items, headers } = selectPage(request, source, repositories, linkPath);
    return ok(
      items.map((placed) => wireOrganizationAlert(request, source, placed)),
      headers,
    );
  });

const denied = () => expectRejected(sourceErrors.dependabotRefused.status, sourceErrors.dependabotRefused.message);

/** Owners and security managers; every other account finds nothing, or is denied by one source. */
function mayRead({ world, token }: RestRequest, { login }: DoubleOrganization): boolean {
  const account = world.accounts.find((one) => one.login === token.login);
  return [...(account?.owns ?? []), ...(account?.securityManagerOf ?? [])].some((one) => sameName(one, login));
}

function selectPage(request: RestRequest, source: AlertSource, among: readonly DoubleRepository[], linkPath: string) {
  const placed = among.flatMap((repository) => repository.security[source].alerts.map((one) => ({ repository, one })));
  const found = inOrder(
    request,
    placed.filter(({ one }) => isWanted(request, source, one)),
  );
  // One source has no page numbers.
  return source === 'dependabot' ? pagedByCursor(request, found, linkPath) : paged(request, found, linkPath);
}

/** States as the source names them; without one every alert is given. */
function isWanted({ query }: RestRequest, source: AlertSource, one: DoubleAlert): boolean {
  const states = query.get('state')?.split(',');
  return !states || states.includes(stateWord(source, one));
}

function inOrder({ query }: RestRequest, found: Placed[]): Placed[] {
  const key = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt';
  const newest = found.toSorted(
    (a, b) => b.one[key] - a.one[key] || b.one.number - a.one.number || a.repository.facts.id - b.repository.facts.id,
  );
  return query.get('direction') === 'asc' ? newest.reverse() : newest;
}

/** The link to the next page carries a cursor, and none to the last page is given. */
function pagedByCursor<T>(request: RestRequest, items: T[], linkPath: string) {
  const size = Math.min(Number(request.query.get('per_page') ?? 30), 100);
  const after = request.query.get('after');
  const start = after === null ? 0 : Number(Buffer.from(after, 'base64url').toString());
  const query = new URLSearchParams(request.query);
  query.set('after', Buffer.from(String(start + size)).toString('base64url'));
  const hasNext = start + size < items.length;
  return {
    items: items.slice(start, start + size),
    headers: hasNext ? { link: `<${request.base}${linkPath}?${query}>; rel="next"` } : undefined,
  };
}

/** What comes after the owner, repository or organization in a path. */
const listPath = ({ path }: RestRequest, segments: number) => `/${path.split('/').slice(segments).join('/')}`;
