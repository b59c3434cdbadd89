import type { DeploymentState } from '../../server/metrics/kernel/delivery-facts.ts';
import type { Instant } from '../../server/metrics/kernel/facts.ts';
import {
  type DoubleCommit,
  type DoubleDeployment,
  type DoubleFile,
  type DoubleRelease,
  parentsOf,
} from './delivery.ts';
import { shaOf } from './delivery-builders.ts';
import { ghost } from './graphql-view.ts';
import { idOf, moment, momentOrNull, nodeId, user, webAddress } from './wire.ts';
import type { DoubleRepository } from './world.ts';

const address = (base: string, { facts }: DoubleRepository) => `${base}/repos/${facts.owner}/${facts.repo}`;

/** A commit as lists give it. Its times are in UTC; the author's own clock is lost. */
export function commit(base: string, repository: DoubleRepository, one: DoubleCommit) {
  const url = address(base, repository);
  const account = one.author && user(base, one.author);
  const person = (at: Instant) => ({ name: one.authorName, email: 'somebody@codehost.example', date: moment(at) });
  const web = webAddress(repository.facts);
  return {
    url: `${url}/commits/${one.sha}`,
    sha: one.sha,
    node_id: nodeId('Commit', idOf(one.sha)),
    html_url: `${web}/commit/${one.sha}`,
    comments_url: `${url}/commits/${one.sha}/comments`,
    commit: {
      url: `${url}/git/commits/${one.sha}`,
      author: person(one.authoredAt),
      committer: person(one.committedAt),
      message: one.message,
      comment_count: 0,
      tree: { sha: one.sha, url: `${url}/git/trees/${one.sha}` },
    },
    author: account,
    committer: account,
    parents: parentsOf(repository.commits, one).map(({ sha }) => ({
      sha,
      url: `${url}/commits/${sha}`,
      html_url: `${web}/commit/${sha}`,
    })),
  };
}

export function file(base: string, repository: DoubleRepository, sha: string, given: DoubleFile) {
  const { path, additions, deletions } = given;
  const web = webAddress(repository.facts);
  return {
    sha: shaOf(`blob ${path}`),
    filename: path,
    status: 'modified',
    additions,
    deletions,
    changes: additions + deletions,
    blob_url: `${web}/blob/${sha}/${path}`,
    raw_url: `${web}/raw/${sha}/${path}`,
    contents_url: `${address(base, repository)}/contents/${path}?ref=${sha}`,
  };
}

export function release(base: string, repository: DoubleRepository, one: DoubleRelease) {
  const url = `${address(base, repository)}/releases/${one.id}`;
  return {
    url,
    html_url: `${webAddress(repository.facts)}/releases/tag/${one.tag}`,
    assets_url: `${url}/assets`,
    upload_url: `${url}/assets{?name,label}`,
    tarball_url: one.isDraft ? null : `${address(base, repository)}/tarball/${one.tag}`,
    zipball_url: one.isDraft ? null : `${address(base, repository)}/zipball/${one.tag}`,
    id: one.id,
    node_id: nodeId('Release', one.id),
    tag_name: one.tag,
    name: one.tag,
    body: null,
    assets: [],
    target_commitish: 'main',
    draft: one.isDraft,
    prerelease: one.isPrerelease,
    immutable: one.isImmutable ?? false,
    created_at: moment(one.createdAt),
    published_at: momentOrNull(one.publishedAt),
    author: user(base, one.author),
  };
}

export function deployment(base: string, repository: DoubleRepository, one: DoubleDeployment) {
  const url = `${address(base, repository)}/deployments/${one.id}`;
  return {
    url,
    id: one.id,
    node_id: nodeId('Deployment', one.id),
    sha: one.sha,
    ref: one.ref ?? one.sha,
    task: 'deploy',
    payload: {},
    description: null,
    creator: user(base, one.creator ?? ghost),
    environment: one.environment,
    original_environment: one.environment,
    created_at: moment(one.createdAt),
    updated_at: moment(one.statuses.at(-1)?.at ?? one.createdAt),
    statuses_url: `${url}/statuses`,
    repository_url: address(base, repository),
    transient_environment: one.environment.startsWith('preview-'),
    production_environment: one.production,
  };
}

export function deploymentStatus(
  base: string,
  repository: DoubleRepository,
  one: DoubleDeployment,
  { state, at }: { state: DeploymentState; at: Instant },
) {
  const id = idOf(`${one.id} ${state} ${at}`);
  const log = `${webAddress(repository.facts)}/deployments/${one.id}`;
  const url = `${address(base, repository)}/deployments/${one.id}`;
  return {
    url: `${url}/statuses/${id}`,
    id,
    node_id: nodeId('DeploymentStatus', id),
    state,
    creator: user(base, one.creator ?? ghost),
    description: '',
    environment: one.environment,
    target_url: log,
    created_at: moment(at),
    updated_at: moment(at),
    deployment_url: url,
    repository_url: address(base, repository),
    environment_url: one.url ?? log,
    log_url: log,
  };
}

/** An environment does not say whether it is production; only its deployments do. */
export function environment(base: string, repository: DoubleRepository, name: string) {
  const id = idOf(name);
  return {
    id,
    node_id: nodeId('Environment', id),
    name,
    url: `${address(base, repository)}/environments/${encodeURIComponent(name)}`,
    html_url: `${webAddress(repository.facts)}/deployments/activity_log`,
    created_at: '2024-03-01T08:00:00Z',
    updated_at: '2024-03-01T08:00:00Z',
    protection_rules: [],
    deployment_branch_policy: null,
  };
}
