import { type Answer, expectRejected, type Handler, notFound, type RestRequest } from './answers.ts';
import type { DoublePullRequest } from './delivery.ts';
import { anActor, aPullRequest } from './delivery-builders.ts';
import { refName, refsOf } from './refs.ts';
import { within } from './rest-repositories.ts';
import * as wire from './wire.ts';
import type { DoubleRepository } from './world.ts';
import { mayWrite } from './write-access.ts';

/** Branches and pull requests that are made by REST, by operation id. */
export const pullRequestHandlers: Record<string, Handler> = {
  'git/create-ref': (request) => within(request, (repository) => createRef(request, repository)),
  'git/delete-ref': (request) => within(request, (repository) => deleteRef(request, repository)),
  'pulls/create': (request) => within(request, (repository) => createPullRequest(request, repository)),
};

const archived = () => expectRejected(403, 'Repository was archived so is read-only.');

function createRef(request: RestRequest, repository: DoubleRepository): Answer {
  const { world, token, base } = request;
  const { ref, sha } = JSON.parse(request.body) as { ref: string; sha: string };
  if (repository.facts.archived) return archived();
  if (!mayWrite(world, token, repository, 'contents'))
    return token.scopes === null ? expectRejected(403, 'Resource not accessible by personal access token') : notFound();
  if (repository.empty) return expectRejected(409, 'Git Repository is empty.');
  if (!/^refs\/heads\/[\w./-]+$/.test(ref)) return expectRejected(422, 'Reference name invalid');
  if (refsOf(repository).some((one) => refName(one) === ref)) return expectRejected(422, 'Reference already exists');
  if (!refsOf(repository).some(({ commits }) => commits.includes(sha)))
    return expectRejected(422, 'Object does not exist');
  if (repository.branchRule) return expectRejected(422, `Repository rule violations found\n\n${repository.branchRule}`);
  repository.refs.push({
    kind: 'heads',
    name: ref.slice('refs/heads/'.length),
    commits: commitsBehind(repository, sha),
  });
  const url = `${base}/repos/${repository.facts.owner}/${repository.facts.repo}/git`;
  const object = { type: 'commit', sha, url: `${url}/commits/${sha}` };
  return { status: 201, body: { ref, node_id: wire.nodeId('Ref', wire.idOf(ref)), url: `${url}/${ref}`, object } };
}

function commitsBehind(repository: DoubleRepository, sha: string): string[] {
  const all = refsOf(repository).find(({ commits }) => commits.includes(sha))?.commits ?? [];
  return all.slice(all.indexOf(sha));
}

function deleteRef(request: RestRequest, repository: DoubleRepository): Answer {
  const { world, token, params } = request;
  const name = params.ref?.replace(/^heads\//, '');
  if (!mayWrite(world, token, repository, 'contents')) return notFound();
  const left = repository.refs.filter((one) => one.kind !== 'heads' || one.name !== name);
  if (left.length === repository.refs.length) return expectRejected(422, 'Reference does not exist');
  repository.refs = left;
  return { status: 204, body: undefined };
}

interface Wanted {
  title: string;
  head: string;
  base: string;
  body?: string;
  draft?: boolean;
}

const refused = (message: string): Answer => {
  const { body, ...answer } = expectRejected(422, 'Validation Failed');
  return { ...answer, body: { ...(body as object), errors: [{ resource: 'PullRequest', code: 'custom', message }] } };
};

function createPullRequest(request: RestRequest, repository: DoubleRepository): Answer {
  const { world, token, now } = request;
  const { title, head, base, body = '', draft = false } = JSON.parse(request.body) as Wanted;
  if (repository.facts.archived) return archived();
  if (!mayWrite(world, token, repository, 'pull_requests'))
    return expectRejected(403, 'Resource not accessible by personal access token');
  const branch = repository.refs.find((one) => one.kind === 'heads' && one.name === head);
  if (!branch || base !== repository.facts.defaultBranch) return refused('head or base is invalid');
  if (repository.pullRequests.some((one) => one.state === 'open' && !one.isFromFork && one.headBranch === head))
    return refused(`A pull request already exists for ${repository.facts.owner}:${head}.`);
  if (!branch.files) return refused(`No commits between ${base} and ${head}`);
  if (title.trim() === '' || [...title].length > 256) return refused('title is invalid');
  const known = [...repository.pullRequests, ...repository.issues].map((one) => one.number);
  const number = Math.max(0, ...known) + 1;
  const parts = { number, title, createdAt: now, author: anActor(token.login), headBranch: head, baseBranch: base };
  const made = {
    ...aPullRequest(now, {
      ...parts,
      headSha: branch.commits[0] ?? null,
      isDraft: draft,
      changedFiles: branch.files.size,
    }),
    body,
  };
  repository.pullRequests.push(made);
  return { status: 201, body: wirePullRequest(request, repository, made) };
}

function wirePullRequest({ base, token }: RestRequest, repository: DoubleRepository, made: DoublePullRequest) {
  const { facts } = repository;
  const { number, title, headBranch, baseBranch, headSha, createdAt, isDraft, body } = made;
  const url = `${base}/repos/${facts.owner}/${facts.repo}`;
  const own = `${url}/pulls/${number}`;
  const html = `${wire.webAddress(facts)}/pull/${number}`;
  const id = facts.id * 10_000 + number;
  const owner = wire.user(base, anActor(facts.owner));
  const end = (ref: string, sha: string) => ({
    label: `${facts.owner}:${ref}`,
    ref,
    sha,
    user: owner,
    repo: wire.repository(base, repository, 'collaborator'),
  });
  const addresses = {
    comments_url: `${url}/issues/${number}/comments`,
    commits_url: `${own}/commits`,
    diff_url: `${html}.diff`,
    html_url: html,
    issue_url: `${url}/issues/${number}`,
    patch_url: `${html}.patch`,
    review_comment_url: `${url}/pulls/comments{/number}`,
    review_comments_url: `${own}/comments`,
    statuses_url: `${url}/statuses/${headSha}`,
    url: own,
  };
  const link = (href: string) => ({ href });
  return {
    ...addresses,
    _links: {
      comments: link(addresses.comments_url),
      commits: link(addresses.commits_url),
      statuses: link(addresses.statuses_url),
      html: link(html),
      issue: link(addresses.issue_url),
      review_comments: link(addresses.review_comments_url),
      review_comment: link(addresses.review_comment_url),
      self: link(own),
    },
    id,
    node_id: wire.nodeId('PullRequest', id),
    number,
    state: 'open',
    locked: false,
    title,
    body: body ?? null,
    user: wire.user(base, anActor(token.login)),
    labels: [],
    assignee: null,
    assignees: [],
    milestone: null,
    requested_reviewers: [],
    requested_teams: [],
    head: end(headBranch ?? '', headSha ?? ''),
    base: end(baseBranch, repository.commits[0]?.sha ?? ''),
    created_at: wire.moment(createdAt),
    updated_at: wire.moment(createdAt),
    closed_at: null,
    merged_at: null,
    merge_commit_sha: null,
    merged: false,
    merged_by: null,
    mergeable: null,
    mergeable_state: 'unknown',
    rebaseable: null,
    draft: isDraft,
    auto_merge: null,
    author_association: 'COLLABORATOR',
    maintainer_can_modify: false,
    comments: 0,
    review_comments: 0,
    commits: 1,
    additions: made.additions,
    deletions: made.deletions,
    changed_files: made.changedFiles,
  };
}
