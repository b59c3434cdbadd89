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
import type { DoubleIssue } from './delivery.ts';
import { anActor, anIssue } from './delivery-builders.ts';
import { invalid } from './respond.ts';
import { within } from './rest-repositories.ts';
import { idOf, moment, momentOrNull, nodeId, user, webAddress } from './wire.ts';
import { affiliation, type DoubleRepository, sameName } from './world.ts';

/** Issues by REST, by operation id. Pull requests are excluded from the list here. */
export const issueHandlers: Record<string, Handler> = {
  'issues/create': (request) => within(request, (repository) => create(request, repository)),
  'issues/get': (request) => within(request, (repository) => get(request, repository)),
  'issues/list-for-repo': (request) => within(request, (repository) => list(request, repository)),
};

function create(request: RestRequest, repository: DoubleRepository): Answer {
  const { world, token, now } = request;
  const { title, body = null } = JSON.parse(request.body) as { title: string; body?: string | null };
  if (repository.facts.archived) return expectRejected(403, 'Repository was archived so is read-only.');
  if (!repository.issuesEnabled) return expectRejected(410, 'Issues has been disabled in this repository.');
  if (token.scopes && !token.scopes.includes('repo') && affiliation(world, token.login, repository) === null)
    return expectRejected(403, 'Resource not accessible by personal access token');
  if (title.trim() === '' || [...title].length > 256) return invalid(['title']);
  const number = Math.max(0, ...repository.issues.map((one) => one.number), ...pullNumbers(repository)) + 1;
  const issue = { ...anIssue(now, { number, title, createdAt: now, author: anActor(token.login) }), body };
  repository.issues.push(issue);
  return { status: 201, body: wireIssue(request, repository, issue) };
}

/** A pull request is an issue too, and only so is told through which app it was opened. */
function get(request: RestRequest, repository: DoubleRepository): Answer {
  const number = Number(request.params.issue_number);
  const issue = repository.issues.find((one) => one.number === number);
  if (issue) return ok(wireIssue(request, repository, issue));
  const pull = repository.pullRequests.find((one) => one.number === number);
  if (!pull) return notFound();
  const asIssue = anIssue(request.now, { number, title: pull.title, author: pull.author, createdAt: pull.createdAt });
  return ok({
    ...wireIssue(request, repository, asIssue),
    performed_via_github_app: pull.app ? wireApp(request, pull.app) : null,
  });
}

const wireApp = ({ base }: RestRequest, slug: string) => {
  const id = idOf(`app ${slug}`);
  const created = moment(0);
  return {
    id,
    slug,
    node_id: nodeId('App', id),
    owner: user(base, anActor(slug)),
    name: slug,
    description: null,
    external_url: `https://apps.codehost.example/${slug}`,
    html_url: `https://apps.codehost.example/${slug}`,
    created_at: created,
    updated_at: created,
    permissions: {},
    events: [],
  };
};

const pullNumbers = ({ pullRequests }: DoubleRepository) => pullRequests.map(({ number }) => number);

function list(request: RestRequest, repository: DoubleRepository): Answer {
  const { query } = request;
  if (!repository.issuesEnabled) return notFound();
  const [creator, state, key] = [query.get('creator'), query.get('state') ?? 'open', query.get('sort') ?? 'created'];
  const time = (one: DoubleIssue) => (key === 'updated' ? one.updatedAt : one.createdAt);
  const wanted = repository.issues
    .filter((one) => creator === null || (one.author !== null && sameName(one.author.login, creator)))
    .filter((one) => state === 'all' || (one.closedAt === null) === (state === 'open'))
    .sort((one, other) => time(other) - time(one) || other.number - one.number);
  const ordered = query.get('direction') === 'asc' ? wanted.reverse() : wanted;
  const { items, headers } = paged(request, ordered, byNumber(repository, '/issues'));
  const bodies = items.map((one) => wireIssue(request, repository, one));
  return ok(bodies, headers);
}

function wireIssue({ base }: RestRequest, { facts }: DoubleRepository, one: DoubleIssue) {
  const url = `${base}/repos/${facts.owner}/${facts.repo}/issues/${one.number}`;
  const id = idOf(`${facts.owner}/${facts.repo}#${one.number}`);
  return {
    id,
    node_id: nodeId('Issue', id),
    number: one.number,
    title: one.title,
    body: one.body ?? null,
    url,
    html_url: `${webAddress(facts)}/issues/${one.number}`,
    repository_url: url.replace(/\/issues\/\d+$/, ''),
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    labels_url: `${url}/labels{/name}`,
    user: one.author && user(base, one.author),
    labels: [],
    assignee: null,
    assignees: [],
    milestone: null,
    locked: false,
    comments: one.comments,
    state: one.closedAt === null ? 'open' : 'closed',
    author_association: 'CONTRIBUTOR',
    created_at: moment(one.createdAt),
    updated_at: moment(one.updatedAt),
    closed_at: momentOrNull(one.closedAt),
  };
}
