import type { Actor, Instant, Repository, Workflow } from '../../server/metrics/kernel/facts.ts';
import { openOf } from './delivery.ts';
import { type DoubleAccount, type DoubleOrganization, type DoubleRepository, webUrl } from './world.ts';

/** Facts as the platform's REST answers put them. `base` is the address of the API without a slash at the end. */

export const moment = (instant: Instant) => new Date(instant).toISOString().replace('.000Z', 'Z');

export const momentOrNull = (instant: Instant | null) => (instant === null ? null : moment(instant));

/** A number that stays the same for the same text. */
export function idOf(text: string): number {
  let hash = 7;
  for (const initial of text.toLowerCase()) hash = (hash * 31 + initial.charCodeAt(0)) % 100_000_007;
  return hash + 1;
}

export const nodeId = (kind: string, id: number) => Buffer.from(`${kind}:${id}`).toString('base64url');

export function user(base: string, { login, avatarUrl, isBot }: Actor, id = idOf(login)) {
  const url = `${base}/users/${encodeURIComponent(login)}`;
  return {
    login,
    id,
    node_id: nodeId('User', id),
    avatar_url: avatarUrl.startsWith('#') ? `${webUrl}/avatars/${id}` : avatarUrl,
    gravatar_id: '',
    url,
    html_url: `${webUrl}/${encodeURIComponent(login.replace(/^(.*)\[bot\]$/, 'apps/$1'))}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: isBot ? 'Bot' : 'User',
    user_view_type: 'public',
    site_admin: false,
  };
}

const since = { created_at: '2015-03-01T08:00:00Z', updated_at: '2026-01-05T08:00:00Z' };
const emptyProfile = { company: null, blog: '', location: null, hireable: null, bio: null, twitter_username: null };

/** An account as everybody sees it. */
export const publicAccount = (base: string, one: Actor, name: string | null) => ({
  ...user(base, one),
  name,
  email: null,
  ...emptyProfile,
  public_repos: 1,
  public_gists: 0,
  followers: 0,
  following: 0,
  ...since,
});

export function ownAccount(base: string, { id, login, name, email }: DoubleAccount) {
  return {
    ...user(base, { login, avatarUrl: `https://avatars.codehost.example/${login}`, isBot: false }, id),
    user_view_type: 'private',
    name,
    email,
    notification_email: email,
    ...emptyProfile,
    public_repos: 1,
    public_gists: 0,
    followers: 0,
    following: 0,
    private_gists: 0,
    total_private_repos: 1,
    owned_private_repos: 1,
    disk_usage: 1,
    collaborators: 0,
    two_factor_authentication: true,
    ...since,
  };
}

export function organizationSimple(base: string, { login, id, avatarUrl, description }: DoubleOrganization) {
  const url = `${base}/orgs/${login}`;
  return {
    login,
    id,
    node_id: nodeId('Organization', id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: avatarUrl,
    description,
  };
}

/** A team of an organization as lists give it. */
export function team(
  base: string,
  organization: DoubleOrganization,
  { id, slug, name }: { id: number; slug: string; name: string },
) {
  const url = `${base}/organizations/${organization.id}/team/${id}`;
  return {
    id,
    node_id: nodeId('Team', id),
    name,
    slug,
    description: null,
    privacy: 'closed',
    notification_setting: 'notifications_enabled',
    permission: 'pull',
    url,
    html_url: `${webUrl}/orgs/${organization.login}/teams/${slug}`,
    members_url: `${url}/members{/member}`,
    repositories_url: `${url}/repos`,
    type: 'organization',
    organization_id: organization.id,
    parent: null,
  };
}

/** How an account belongs to an organization. */
export const membership = (
  base: string,
  organization: DoubleOrganization,
  { id, login }: DoubleAccount,
  { state, role }: { state: 'active' | 'pending'; role: string },
) => ({
  url: `${base}/orgs/${organization.login}/memberships/${login}`,
  state,
  role,
  organization_url: `${base}/orgs/${organization.login}`,
  organization: organizationSimple(base, organization),
  user: user(base, { login, avatarUrl: `https://avatars.codehost.example/${login}`, isBot: false }, id),
});

export const organizationFull = (base: string, organization: DoubleOrganization, repositories: number) => ({
  ...organizationSimple(base, organization),
  name: organization.login,
  is_verified: false,
  has_organization_projects: true,
  has_repository_projects: true,
  public_repos: repositories,
  public_gists: 0,
  followers: 0,
  following: 0,
  html_url: `${webUrl}/${organization.login}`,
  created_at: '2015-03-01T08:00:00Z',
  updated_at: '2026-01-05T08:00:00Z',
  archived_at: null,
  type: 'Organization',
});

/** A repository as lists and the single answer give it; `permissions` differ between accounts. */
export function repository(base: string, one: DoubleRepository, role: string | null) {
  const { facts, issuesEnabled } = one;
  const counts = openOf(one, issuesEnabled);
  const open = counts.issues + counts.pullRequests;
  const write = role !== null;
  return {
    ...repositoryAddress(base, facts),
    git_url: 'git://codehost.example/x.git',
    ssh_url: 'git@codehost.example:x.git',
    svn_url: facts.htmlUrl,
    clone_url: `${facts.htmlUrl}.git`,
    mirror_url: null,
    homepage: null,
    license: null,
    disabled: false,
    language: facts.language,
    stargazers_count: facts.stars,
    watchers_count: facts.stars,
    watchers: facts.stars,
    forks: 0,
    forks_count: 0,
    size: one.empty ? 0 : 120,
    open_issues_count: open,
    open_issues: open,
    topics: [],
    is_template: false,
    // The platform names a default branch even for a repository without commits.
    default_branch: facts.defaultBranch ?? 'main',
    has_issues: issuesEnabled,
    has_projects: true,
    has_wiki: false,
    has_pages: false,
    has_downloads: true,
    has_discussions: false,
    allow_forking: true,
    web_commit_signoff_required: false,
    archived: facts.archived,
    visibility: facts.visibility,
    created_at: momentOrNull(facts.createdAt),
    updated_at: momentOrNull(facts.updatedAt),
    pushed_at: momentOrNull(facts.pushedAt),
    permissions: { admin: role === 'owner', maintain: role === 'owner', push: write, triage: write, pull: true },
  };
}

/** The short form inside other answers. */
export function repositoryAddress(base: string, facts: Repository) {
  const full = `${facts.owner}/${facts.repo}`;
  const url = `${base}/repos/${full}`;
  const owner = { login: facts.owner, avatarUrl: `https://avatars.codehost.example/${facts.owner}`, isBot: false };
  return {
    id: facts.id,
    node_id: nodeId('Repository', facts.id),
    name: facts.repo,
    full_name: full,
    owner: { ...user(base, owner), type: facts.ownerType === 'org' ? 'Organization' : 'User' },
    private: facts.private,
    html_url: webAddress(facts),
    description: facts.description,
    fork: facts.fork,
    url,
    ...Object.fromEntries(Object.entries(repositoryLinks).map(([key, path]) => [key, `${url}/${path}`])),
  };
}

export const webAddress = (facts: Repository) => `${webUrl}/${facts.owner}/${facts.repo}`;

export function workflow(base: string, { facts }: DoubleRepository, one: Workflow) {
  return {
    id: one.id,
    node_id: nodeId('Workflow', one.id),
    name: one.name,
    path: one.path,
    state: one.state,
    created_at: moment(one.createdAt),
    updated_at: moment(one.updatedAt),
    url: `${base}/repos/${facts.owner}/${facts.repo}/actions/workflows/${one.id}`,
    html_url: one.htmlUrl.startsWith('#') ? `${webAddress(facts)}/blob/main/${one.path}` : one.htmlUrl,
    badge_url: one.badgeUrl.startsWith('#') ? `${webAddress(facts)}/workflows/badge.svg` : one.badgeUrl,
  };
}

const repositoryLinks = {
  archive_url: '{archive_format}{/ref}',
  assignees_url: 'assignees{/user}',
  blobs_url: 'git/blobs{/sha}',
  branches_url: 'branches{/branch}',
  collaborators_url: 'collaborators{/collaborator}',
  comments_url: 'comments{/number}',
  commits_url: 'commits{/sha}',
  compare_url: 'compare/{base}...{head}',
  contents_url: 'contents/{+path}',
  contributors_url: 'contributors',
  deployments_url: 'deployments',
  downloads_url: 'downloads',
  events_url: 'events',
  forks_url: 'forks',
  git_commits_url: 'git/commits{/sha}',
  git_refs_url: 'git/refs{/sha}',
  git_tags_url: 'git/tags{/sha}',
  hooks_url: 'hooks',
  issue_comment_url: 'issues/comments{/number}',
  issue_events_url: 'issues/events{/number}',
  issues_url: 'issues{/number}',
  keys_url: 'keys{/key_id}',
  labels_url: 'labels{/name}',
  languages_url: 'languages',
  merges_url: 'merges',
  milestones_url: 'milestones{/number}',
  notifications_url: 'notifications{?since,all,participating}',
  pulls_url: 'pulls{/number}',
  releases_url: 'releases{/id}',
  stargazers_url: 'stargazers',
  statuses_url: 'statuses/{sha}',
  subscribers_url: 'subscribers',
  subscription_url: 'subscription',
  tags_url: 'tags',
  teams_url: 'teams',
  trees_url: 'git/trees{/sha}',
};
