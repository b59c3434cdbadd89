import { createHash } from 'node:crypto';
import { type Answer, expectRejected, type Handler, notFound, ok, type RestRequest } from './answers.ts';
import { billingHandlers, isRetired } from './billing.ts';
import { bodyFaults, matchRoute, type Operation, queryFaults, responseFault } from './description.ts';
import { faultAnswer, type Incoming, tokenOf } from './respond.ts';
import { accountHandlers } from './rest-accounts.ts';
import { deliveryHandlers } from './rest-delivery.ts';
import { issueHandlers } from './rest-issues.ts';
import { pullRequestHandlers } from './rest-pull-requests.ts';
import { repositoryHandlers } from './rest-repositories.ts';
import { securityHandlers } from './rest-security.ts';
import { treeHandlers } from './rest-trees.ts';
import type { DoubleToken, DoubleWorld } from './world.ts';

/** Answers a REST request as the platform's description says, and notes what breaks it. */
export function answerRest(incoming: Incoming): Answer {
  const { service, entry, url } = incoming;
  const token = tokenOf(incoming);
  const path = nameInPath(service.world, entry.path);
  const match = path === null ? null : matchRoute(entry.method, path);
  if (path !== null && !match) service.violations.push(`The platform has no ${entry.method} ${entry.path}`);
  const free = match?.operation.id === 'rate-limit/get';
  entry.operation = match?.operation.id ?? null;
  entry.resource = 'core';
  const faulty = faultAnswer(incoming);
  if (faulty) return token ? { ...faulty, headers: { ...accountHeaders(incoming, token), ...faulty.headers } } : faulty;
  if (!token) return expectRejected(401, entry.token === null ? 'Requires authentication' : 'Bad credentials');
  const { budgets } = service;
  if (!free && budgets.of(token.login, 'core').used >= budgets.of(token.login, 'core').limit)
    return limited(incoming, token);
  const { base, world, clock } = service;
  const sent = { query: url.searchParams, path: path ?? '', body: incoming.body, now: clock.now() };
  const request = { world, base, token, params: match?.params ?? {}, ...sent };
  const answer = match ? answerOperation(incoming, match.operation, request) : nothing(entry.path);
  const cost = free || answer.status === 304 ? 0 : 1;
  budgets.spend(token.login, 'core', cost);
  entry.cost = cost;
  return { ...answer, headers: { ...answer.headers, ...accountHeaders(incoming, token) } };
}

const nothing = (path: string) => (isRetired(path) ? expectRejected(410, 'This endpoint has been moved.') : notFound());

function answerOperation(incoming: Incoming, operation: Operation, request: RestRequest): Answer {
  const { service } = incoming;
  const faults = [...queryFaults(operation, request.query), ...bodyFaults(operation, request.body)];
  service.violations.push(...faults);
  if (faults.length) return expectRejected(422, `Validation Failed: ${faults.join('; ')}`);
  const handler = handlers(service)[operation.id];
  if (!handler) {
    service.violations.push(`The double does not serve ${operation.id} (${operation.template})`);
    return notFound();
  }
  const answer = handler(request);
  const wrong = answer.status === 422 ? null : responseFault(operation, answer.status, answer.body);
  if (wrong) service.violations.push(`The double answered wrong: ${wrong}`);
  return answer.status === 200 ? conditional(incoming, operation, request.token, answer) : answer;
}

const handlers = ({ budgets }: Incoming['service']): Record<string, Handler> => ({
  ...accountHandlers,
  ...repositoryHandlers,
  ...deliveryHandlers,
  ...treeHandlers,
  ...billingHandlers,
  ...securityHandlers,
  ...issueHandlers,
  ...pullRequestHandlers,
  'rate-limit/get': ({ token }) => ok(budgets.overview(token.login)),
});

/** Adds the validator, which differs between tokens, and answers 304 when the caller has this very answer. */
function conditional({ headers }: Incoming, { id }: Operation, token: DoubleToken, answer: Answer): Answer {
  if (id === 'rate-limit/get') return answer;
  const text = `${token.token}${answer.headers?.link ?? ''}${JSON.stringify(answer.body)}`;
  const strong = `"${createHash('sha256').update(text).digest('hex')}"`;
  const etag = Array.isArray(answer.body) || id.includes('/list') ? `W/${strong}` : strong;
  const known = (headers['if-none-match'] ?? '').split(/, ?/).map((one) => one.replace(/^W\//, ''));
  const validators = { etag, 'cache-control': 'private, max-age=60, s-maxage=60' };
  if (known.includes(strong)) return { status: 304, body: undefined, headers: validators };
  return { ...answer, headers: { ...answer.headers, ...validators } };
}

function limited({ service, entry }: Incoming, token: DoubleToken): Answer {
  const account = service.world.accounts.find((one) => one.login === token.login);
  const message = `API rate limit exceeded for user ID ${account?.id}.`;
  return expectRejected(403, message, service.budgets.headers(token.login, entry.resource ?? 'core'));
}

/** Headers every authorized answer carries. Only classic tokens show their scopes. */
function accountHeaders({ service }: Incoming, { login, scopes }: DoubleToken): Record<string, string> {
  const shown: Record<string, string> = scopes
    ? { 'x-oauth-scopes': scopes.join(', '), 'x-accepted-oauth-scopes': '' }
    : {};
  return { ...service.budgets.headers(login, 'core'), ...shown };
}

/**
 * Puts names in the place of the numbers that links and redirects use. The description leaves these paths out;
 * null when the number belongs to nothing.
 */
function nameInPath(world: DoubleWorld, path: string): string | null {
  const [, kind, id, rest = ''] = /^\/(repositories|organizations)\/(\d+)(\/.*)?$/.exec(path) ?? [];
  if (kind === 'repositories') {
    const facts = world.repositories.find((one) => one.facts.id === Number(id))?.facts;
    return facts ? `/repos/${facts.owner}/${facts.repo}${rest}` : null;
  }
  if (kind === 'organizations') {
    const organization = world.organizations.find((one) => one.id === Number(id));
    return organization ? `/orgs/${organization.login}${rest}` : null;
  }
  return path;
}
