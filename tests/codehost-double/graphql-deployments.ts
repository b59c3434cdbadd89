import type { DoubleDeployment, DoubleRelease } from './delivery.ts';
import { commit } from './graphql-commits.ts';
import { connection, type Paging } from './graphql-connection.ts';
import type { Order } from './graphql-pull-requests.ts';
import { ghost, person, type View } from './graphql-view.ts';
import { moment, momentOrNull, webAddress } from './wire.ts';
import type { DoubleRepository } from './world.ts';

interface DeploymentsArgs extends Paging {
  environments?: string[] | null;
  orderBy?: Order | null;
}

/** Deployments of a repository; the platform gives the oldest first when no order is requested. */
export function deployments(view: View, one: DoubleRepository, args: DeploymentsArgs) {
  const sign = args.orderBy?.direction === 'DESC' ? -1 : 1;
  const wanted = one.deployments
    .filter(({ environment }) => !args.environments || args.environments.includes(environment))
    .sort((a, b) => sign * (a.createdAt - b.createdAt || a.id - b.id));
  return connection(wanted, args, (each) => deployment(view, one, each));
}

function deployment(view: View, one: DoubleRepository, given: DoubleDeployment) {
  const deployed = one.commits.find((each) => each.sha === given.sha);
  // The newest first, as the platform lists them.
  const statuses = [...given.statuses].reverse();
  const status = (each: DoubleDeployment['statuses'][number]) => statusOf(one, given, each);
  const newest = statuses[0];
  return {
    __typename: 'Deployment',
    id: `DE_${given.id}`,
    databaseId: given.id,
    environment: given.environment,
    originalEnvironment: given.environment,
    latestEnvironment: given.environment,
    description: null,
    task: 'deploy',
    createdAt: moment(given.createdAt),
    updatedAt: moment(newest?.at ?? given.createdAt),
    commitOid: given.sha,
    commit: () => (deployed ? commit(view, one, deployed) : null),
    ref: given.ref === null ? null : { id: `REF_${given.ref}`, name: given.ref, prefix: 'refs/heads/' },
    creator: person(given.creator ?? ghost),
    state: newest ? (stateNames[newest.state] ?? newest.state.toUpperCase()) : 'PENDING',
    latestStatus: newest ? status(newest) : null,
    statuses: (paging: Paging) => connection(statuses, paging, status),
  };
}

/** No deployment says that it succeeded: the one that is out is active. */
const stateNames: Record<string, string> = { success: 'ACTIVE' };

function statusOf(one: DoubleRepository, given: DoubleDeployment, { state, at }: DoubleDeployment['statuses'][number]) {
  return {
    __typename: 'DeploymentStatus',
    id: `DES_${given.id}_${state}_${at}`,
    state: state.toUpperCase(),
    description: null,
    environment: given.environment,
    environmentUrl: given.url,
    logUrl: `${webAddress(one.facts)}/deployments/${given.id}`,
    createdAt: moment(at),
    updatedAt: moment(at),
    creator: person(given.creator ?? ghost),
  };
}

/** Releases of a repository, newest first unless requested otherwise; drafts show to those who may push. */
export function releases(one: DoubleRepository, args: Paging & { orderBy?: Order | null }) {
  const sign = args.orderBy?.direction === 'ASC' ? 1 : -1;
  const byName = args.orderBy?.field === 'NAME';
  const sorted = [...one.releases].sort(
    (a, b) => sign * (byName ? a.tag.localeCompare(b.tag) : a.createdAt - b.createdAt || a.id - b.id),
  );
  return connection(sorted, args, (each) => release(one, each));
}

/** The release of a tag; null without one. */
export function releaseOf(one: DoubleRepository, tag: string) {
  const found = one.releases.find((each) => !each.isDraft && each.tag === tag);
  return found ? release(one, found) : null;
}

const release = ({ facts }: DoubleRepository, given: DoubleRelease) => ({
  __typename: 'Release',
  id: `RE_${given.id}`,
  databaseId: given.id,
  name: given.tag,
  tagName: given.tag,
  description: null,
  isDraft: given.isDraft,
  isPrerelease: given.isPrerelease,
  createdAt: moment(given.createdAt),
  updatedAt: moment(given.publishedAt ?? given.createdAt),
  publishedAt: momentOrNull(given.publishedAt),
  url: `${webAddress(facts)}/releases/tag/${given.tag}`,
  author: person(given.author),
});
