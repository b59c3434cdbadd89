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
import { type DoubleCommit, newestFirst, touches } from './delivery.ts';
import { aCommit } from './delivery-builders.ts';
import { compareByRefs } from './refs.ts';
import { within } from './rest-repositories.ts';
import * as wire from './wire-delivery.ts';
import { affiliation, type DoubleRepository, sameName } from './world.ts';

/** Commits, releases, deployments and environments, by operation id. */
export const deliveryHandlers: Record<string, Handler> = {
  'repos/list-commits': (request) => withCommits(request, (repository) => listCommits(request, repository)),
  'repos/get-commit': (request) => withCommits(request, (repository) => oneCommit(request, repository)),
  'repos/compare-commits-with-basehead': (request) =>
    withCommits(request, (repository) => compare(request, repository)),
  'repos/list-releases': (request) => within(request, (repository) => releases(request, repository)),
  'repos/get-release': (request) => within(request, (repository) => oneRelease(request, repository)),
  'repos/list-deployments': (request) => within(request, (repository) => deployments(request, repository)),
  'repos/list-deployment-statuses': (request) => within(request, (repository) => statuses(request, repository)),
  'repos/get-all-environments': (request) => within(request, (repository) => environments(request, repository)),
};

const withCommits = (request: RestRequest, answer: (repository: DoubleRepository) => Answer): Answer =>
  within(request, (repository) =>
    repository.empty ? expectRejected(409, 'Git Repository is empty.') : answer(repository),
  );

function listCommits(request: RestRequest, repository: DoubleRepository): Answer {
  const { query } = request;
  const since = Date.parse(query.get('since') ?? '1970-01-01T00:00:00Z');
  const until = Date.parse(query.get('until') ?? '2099-12-31T00:00:00Z');
  const [author, path, from] = [query.get('author'), query.get('path'), query.get('sha')];
  const start = from === null ? undefined : resolved(repository, from);
  if (from !== null && !start) return notFound();
  const wanted = newestFirst(repository.commits)
    .filter((one) => one.committedAt <= (start?.committedAt ?? Number.POSITIVE_INFINITY))
    .filter((one) => one.committedAt >= since && one.committedAt <= until)
    .filter((one) => author === null || (one.author !== null && sameName(one.author.login, author)))
    .filter((one) => path === null || touches(one, path));
  const { items, headers } = paged(request, wanted, byNumber(repository, '/commits'));
  return ok(
    items.map((one) => wire.commit(request.base, repository, one)),
    headers,
  );
}

/** A branch, `HEAD`, or a commit id that may be cut short. */
function resolved({ commits, facts }: DoubleRepository, ref: string): DoubleCommit | undefined {
  if (ref === 'HEAD' || ref === facts.defaultBranch) return newestFirst(commits)[0];
  return ref.length >= 7 ? commits.find((one) => one.sha.startsWith(ref)) : undefined;
}

const filesPerPage = 300;

/** The list of files pages at 300. */
function oneCommit(request: RestRequest, repository: DoubleRepository): Answer {
  const ref = request.params.ref ?? '';
  const found = resolved(repository, ref) ?? (compareByRefs(repository, ref, ref) && knownByRef(ref));
  if (!found) return expectRejected(422, `No commit found for SHA: ${ref}`);
  const size = Math.min(Number(request.query.get('per_page') ?? filesPerPage), filesPerPage);
  const page = Number(request.query.get('page') ?? 1);
  const shown = found.files.slice((page - 1) * size, page * size);
  const [additions, deletions] = [total(found, 'additions'), total(found, 'deletions')];
  const next = `${request.base}${byNumber(repository, `/commits/${found.sha}`)}?page=${page + 1}`;
  return ok(
    {
      ...wire.commit(request.base, repository, found),
      stats: { additions, deletions, total: additions + deletions },
      files: shown.map((each) => wire.file(request.base, repository, found.sha, each)),
    },
    page * size < found.files.length ? { link: `<${next}>; rel="next"` } : undefined,
  );
}

const total = ({ files }: DoubleCommit, key: 'additions' | 'deletions') =>
  files.reduce((sum, one) => sum + one[key], 0);

const knownByRef = (sha: string): DoubleCommit => ({ ...aCommit(0, null, 'Known by its id'), sha, parents: 0 });

/** Commits of which only refs are known; what they changed is made up. */
function compareOfRefs(
  request: RestRequest,
  repository: DoubleRepository,
  { from, to }: Record<'from' | 'to', string>,
) {
  const found = compareByRefs(repository, from, to);
  if (!found) return notFound();
  const shown = (sha = from) => wire.commit(request.base, repository, knownByRef(sha));
  const { owner, repo, basehead } = request.params;
  const url = `${request.base}/repos/${owner}/${repo}/compare/${basehead}`;
  return ok({
    url,
    html_url: url,
    permalink_url: url,
    diff_url: `${url}.diff`,
    patch_url: `${url}.patch`,
    base_commit: shown(),
    merge_base_commit: shown(found.ahead.length === 0 ? to : from),
    status: found.status,
    ahead_by: found.ahead.length,
    behind_by: found.behind.length,
    total_commits: found.ahead.length,
    commits: found.ahead.toReversed().map(shown),
    files: [],
  });
}

/** History is one line: of two commits the older is an ancestor of the newer. */
function compare(request: RestRequest, repository: DoubleRepository): Answer {
  const [from = '', to = ''] = (request.params.basehead ?? '').split('...');
  const [base, head] = [resolved(repository, from), resolved(repository, to)];
  if (!base || !head) return compareOfRefs(request, repository, { from, to });
  const line = newestFirst(repository.commits).reverse();
  const [start, end] = [line.indexOf(base), line.indexOf(head)];
  const ahead = line.slice(start + 1, end + 1);
  const shown = (one: DoubleCommit) => wire.commit(request.base, repository, one);
  const url = `${request.base}/repos/${request.params.owner}/${request.params.repo}/compare/${request.params.basehead}`;
  const { items, headers } = paged(request, ahead, byNumber(repository, `/compare/${request.params.basehead}`));
  return ok(
    {
      url,
      html_url: url,
      permalink_url: url,
      diff_url: `${url}.diff`,
      patch_url: `${url}.patch`,
      base_commit: shown(base),
      merge_base_commit: shown(start <= end ? base : head),
      status: start === end ? 'identical' : start < end ? 'ahead' : 'behind',
      ahead_by: Math.max(0, end - start),
      behind_by: Math.max(0, start - end),
      total_commits: ahead.length,
      commits: items.map(shown),
      files: ahead.flatMap((one) => one.files.map((each) => wire.file(request.base, repository, one.sha, each))),
    },
    headers,
  );
}

/** Newest first. Drafts show to those who may push. */
function releases(request: RestRequest, repository: DoubleRepository): Answer {
  const mayPush = affiliation(request.world, request.token.login, repository) !== null;
  const shown = repository.releases
    .filter((one) => !one.isDraft || mayPush)
    .sort((one, other) => other.createdAt - one.createdAt);
  const { items, headers } = paged(request, shown, byNumber(repository, '/releases'));
  return ok(
    items.map((one) => wire.release(request.base, repository, one)),
    headers,
  );
}

function oneRelease(request: RestRequest, repository: DoubleRepository): Answer {
  const found = repository.releases.find(({ id, isDraft }) => !isDraft && id === Number(request.params.release_id));
  return found ? ok(wire.release(request.base, repository, found)) : notFound();
}

function deployments(request: RestRequest, repository: DoubleRepository): Answer {
  const { query } = request;
  const fits = (name: string, value: string | null) => !query.has(name) || query.get(name) === value;
  const wanted = repository.deployments
    .filter((one) => fits('environment', one.environment) && fits('sha', one.sha) && fits('ref', one.ref))
    .filter(() => fits('task', 'deploy'))
    .sort((one, other) => other.createdAt - one.createdAt || other.id - one.id);
  const { items, headers } = paged(request, wanted, byNumber(repository, '/deployments'));
  return ok(
    items.map((one) => wire.deployment(request.base, repository, one)),
    headers,
  );
}

function statuses(request: RestRequest, repository: DoubleRepository): Answer {
  const found = repository.deployments.find(({ id }) => String(id) === request.params.deployment_id);
  if (!found) return notFound();
  const newest = [...found.statuses].reverse();
  const { items, headers } = paged(request, newest, byNumber(repository, `/deployments/${found.id}/statuses`));
  return ok(
    items.map((one) => wire.deploymentStatus(request.base, repository, found, one)),
    headers,
  );
}

function environments(request: RestRequest, repository: DoubleRepository): Answer {
  const deployed = repository.deployments.map(({ environment }) => environment);
  const names = [...new Set([...repository.environments, ...deployed])].sort();
  const { items, headers } = paged(request, names, byNumber(repository, '/environments'));
  const shown = items.map((name) => wire.environment(request.base, repository, name));
  return ok({ total_count: names.length, environments: shown }, headers);
}
