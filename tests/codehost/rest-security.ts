import type { AlertSource } from '../../server/metrics/security/security-alerts.ts';
import { type Answer, type Asked, byNumber, type Handler, ok, paged, refused } from './answers.ts';
import { within } from './rest-repositories.ts';
import { type DoubleAlert, stateWord } from './security.ts';
import { wireAlerts } from './wire-security.ts';
import type { DoubleRepository } from './world.ts';

/** Security alerts, by operation id. */
export const securityHandlers: Record<string, Handler> = {
  'dependabot/list-alerts-for-repo': (asked) => alerts(asked, 'dependabot', byCursor),
  'code-scanning/list-alerts-for-repo': (asked) => alerts(asked, 'code_scanning', byPage),
  'secret-scanning/list-alerts-for-repo': (asked) => alerts(asked, 'secret_scanning', byPage),
};

type Paged = (
  asked: Asked,
  repository: DoubleRepository,
  items: DoubleAlert[],
) => ReturnType<typeof paged<DoubleAlert>>;

const alerts = (asked: Asked, source: AlertSource, pageOf: Paged): Answer =>
  within(asked, (repository) => {
    const { refusal, alerts: all } = repository.security[source];
    if (refusal) return refused(refusal.status, refusal.message);
    const { items, headers } = pageOf(asked, repository, inOrder(asked, all.filter(wanted(asked, source))));
    const shape = wireAlerts[source];
    return ok(
      items.map((one) => shape(asked, repository, one)),
      headers,
    );
  });

/** States as the source names them; without one every alert is given. */
const wanted =
  ({ query }: Asked, source: AlertSource) =>
  (one: DoubleAlert) => {
    const states = query.get('state')?.split(',');
    return !states || states.includes(stateWord(source, one));
  };

function inOrder({ query }: Asked, found: DoubleAlert[]): DoubleAlert[] {
  const key = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt';
  const newest = found.toSorted((one, other) => other[key] - one[key] || other.number - one.number);
  return query.get('direction') === 'asc' ? newest.reverse() : newest;
}

const byPage: Paged = (asked, repository, items) => paged(asked, items, byNumber(repository, listPath(asked)));

/** Without page numbers: the link to the next page carries a cursor, and none to the last page is given. */
const byCursor: Paged = (asked, repository, items) => {
  const size = Math.min(Number(asked.query.get('per_page') ?? 30), 100);
  const after = asked.query.get('after');
  const start = after === null ? 0 : Number(Buffer.from(after, 'base64url').toString());
  const query = new URLSearchParams(asked.query);
  query.set('after', Buffer.from(String(start + size)).toString('base64url'));
  const address = `${asked.base}${byNumber(repository, listPath(asked))}?${query}`;
  const hasNext = start + size < items.length;
  return {
    items: items.slice(start, start + size),
    headers: hasNext ? { link: `<${address}>; rel="next"` } : undefined,
  };
};

const listPath = ({ path }: Asked) => `/${path.split('/').slice(4).join('/')}`;
