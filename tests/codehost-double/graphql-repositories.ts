import { deployments, releaseOf, releases } from './graphql-deployments.ts';
import { issueNumbered, issues } from './graphql-issues.ts';
import { mergeQueue } from './graphql-merge-queue.ts';
import { pullRequestNumbered, pullRequests } from './graphql-pull-requests.ts';
import { defaultBranch, gitObject, refNamed, refs } from './graphql-refs.ts';
import { objectAt } from './graphql-trees.ts';
import { person, type View } from './graphql-view.ts';
import { moment, momentOrNull, webAddress } from './wire.ts';
import { type DoubleRepository, fullName } from './world.ts';
import { mayPush } from './write-access.ts';

/** A repository, with all that leads on from it. */
export function repository(view: View, one: DoubleRepository) {
  return {
    ...facts(one),
    viewerPermission: mayPush(view.world, view.token, one) ? 'WRITE' : 'READ',
    defaultBranchRef: defaultBranch(view, one),
    ref: ({ qualifiedName }: { qualifiedName: string }) => refNamed(view, one, qualifiedName),
    refs: (args: Parameters<typeof refs>[2]) => refs(view, one, args),
    object: ({ expression, oid }: { expression?: string | null; oid?: string | null }) =>
      objectAt(view, one, expression ?? oid ?? '') ?? gitObject(one, oid ?? ''),
    issues: (args: Parameters<typeof issues>[2]) => issues(view, one, args),
    issue: ({ number }: { number: number }) => issueNumbered(view, one, number),
    pullRequests: (args: Parameters<typeof pullRequests>[2]) => pullRequests(view, one, args),
    pullRequest: ({ number }: { number: number }) => pullRequestNumbered(view, one, number),
    mergeQueue: ({ branch }: { branch?: string | null }) =>
      mergeQueue(view, one, branch ?? one.facts.defaultBranch ?? 'main'),
    deployments: (args: Parameters<typeof deployments>[2]) => deployments(view, one, args),
    releases: (args: Parameters<typeof releases>[1]) => releases(one, args),
    release: ({ tagName }: { tagName: string }) => releaseOf(one, tagName),
  };
}

function facts(one: DoubleRepository) {
  const { facts } = one;
  return {
    __typename: 'Repository',
    id: `R_${facts.id}`,
    databaseId: facts.id,
    name: facts.repo,
    nameWithOwner: fullName(one),
    owner: {
      ...person({ login: facts.owner, avatarUrl: `https://avatars.codehost.example/${facts.owner}`, isBot: false }),
      __typename: facts.ownerType === 'org' ? 'Organization' : 'User',
    },
    description: facts.description,
    url: webAddress(facts),
    visibility: facts.visibility.toUpperCase(),
    isPrivate: facts.private,
    isArchived: facts.archived,
    isFork: facts.fork,
    isEmpty: one.empty,
    isDisabled: false,
    hasIssuesEnabled: one.issuesEnabled,
    stargazerCount: facts.stars,
    primaryLanguage: facts.language === null ? null : { id: `L_${facts.language}`, name: facts.language },
    pushedAt: momentOrNull(facts.pushedAt),
    updatedAt: moment(facts.updatedAt ?? 0),
    createdAt: '2020-03-01T08:00:00Z',
  };
}
