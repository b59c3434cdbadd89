import type { AlertSource } from '../../server/metrics/security/security-alerts.ts';
import { type Answer, byNumber, expectRejected, type Handler, ok, paged, type RestRequest } from './answers.ts';
import { within } from './rest-repositories.ts';
import { type DoubleAlert, stateWord } from './security.ts';
import { wireAlerts } from './wire-security.ts';
import type { DoubleRepository } from './world.ts';

/** Security alerts, by operation id. */
export const securityHandlers: Record<string, Handler> = {
  'dependabot/list-alerts-for-repo': (request) => alerts(request, 'dependabot', byCursor),
  'code-scanning/list-alerts-for-repo': (request) => alerts(request, 'code_scanning', byPage),
  'secret-scanning/list-alerts-for-repo': (request) => alerts(request, 'secret_scanning', byPage),
};

type Paged = (
  request: RestRequest,
  repository: DoubleRepository,
  items: DoubleAlert[],
) => ReturnType<typeof paged<DoubleAlert>>;

const alerts = (request: RestRequest, source: AlertSource, pageOf: Paged): Answer =>
  within(request, (repository) => {
    const { error: refusal, alerts: all } = repository.security[source];
    if (refusal) return expectRejected(refusal.status, refusal.message);
    const { items, headers } = pageOf(request, repository, inOrder(request, all.filter(wanted(request, source))));
    const shape = wireAlerts[source];
    return ok(
      items.map((one) => shape(request, repository, one)),
      headers,
    );
  });

/** States as the source names them; without one every alert is given. */
const wanted =
  ({ query }: RestRequest, source: AlertSource) =>
  (one: DoubleAlert) => {
    const states = query.get('state')?.split(',');
    return !states || states.includes(stateWord(source, one));
  };

function inOrder({ query }: RestRequest, found: DoubleAlert[]): DoubleAlert[] {
  const key = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt';
  const newest = found.toSorted((one, other) => other[key] - one[key] || other.number - one.number);
  return query.get('direction') === 'asc' ? newest.reverse() : newest;
}

const byPage: Paged = (request, repository, items) => paged(request, items, byNumber(repository, listPath(request)));

/** Without page numbers: the link to the next page carries a cursor, and none to the last page is given. */
const byCursor: Paged = (request, repository, items) => {
  const size = Math.min(Number(request.query.get('per_page') ?? 30), 100);
  const after = request.query.get('after');
  const start = after === null ? 0 : Number(Buffer.from(after, 'base64url').toString());
  const query = new URLSearchParams(request.query);
  query.set('after', Buffer.from(String(start + size)).toString('base64url'));
  const address = `${request.base}${byNumber(repository, listPath(request))}?${query}`;
  const hasNext = start + size < items.length;
  return {
    items: items.slice(start, start + size),
    headers: hasNext ? { link: `<${address}>; rel="next"` } : undefined,
  };
};

const listPath = ({ path }: RestRequest) => `/${path.split('/').slice(4).join('/')}`;
