import type {
  HeadStatus,
  Instant,
  LiveWorkflowRun,
  Organization,
  Repository,
  Workflow,
  WorkflowJob,
} from '../../server/metrics/kernel/facts.ts';
import type { DoubleBill } from './billing.ts';
import type { DoubleDelivery } from './delivery.ts';
import type { DoubleAdvisory, DoubleRef } from './refs.ts';
import type { DoubleSecurity } from './security.ts';
import type { WritePermission } from './write-access.ts';

/** Where the double pretends its pages are. */
export const webUrl = 'https://codehost.example';

export interface DoubleAccount {
  id: number;
  login: string;
  name: string | null;
  email: string | null;
  /** Organizations the account belongs to; a member sees every repository of the organization that grants it. */
  memberOf: string[];
  /** Organizations that requested the account to join, which it has not answered. */
  invitedTo?: string[];
  /** Those of `memberOf` that the account owns. */
  owns?: string[];
  /** Organizations whose lists of security alerts it may read, beside those that it owns. */
  securityManagerOf?: string[];
}

export interface DoubleToken {
  token: string;
  login: string;
  /** Classic scopes; null for a fine-grained token, which shows none. */
  scopes: string[] | null;
  /** Organizations with single sign-on for which this token was authorized. */
  authorizedFor: string[];
  /** What a fine-grained token was not granted of what writing takes; nothing by default. */
  lacks?: readonly WritePermission[];
  /** Repositories a fine-grained token was granted, by full name; null when it was not narrowed down. */
  only: string[] | null;
}

export interface DoubleOrganization extends Organization {
  id: number;
  singleSignOn: boolean;
  /** Teams that its members see; none by default. */
  teams?: { id: number; slug: string; name: string; members: string[] }[];
}

/** Text, bytes of which some may be none, or what the platform does not give as text. */
export type FileContent = string | { bytes: Uint8Array } | { isBinary: true } | { isTruncated: true };

export interface DoubleRepository extends DoubleDelivery {
  facts: Repository;
  /** Full names this repository had before, lower case. */
  formerNames: string[];
  empty: boolean;
  actionsEnabled: boolean;
  /** What the caches of its workflows take. */
  cacheBytes: number;
  /** Names of checks that pull requests need: by rules, and by the older protection of the default branch. */
  requiredChecks: { byRules: string[]; byProtection: string[] };
  issuesEnabled: boolean;
  headStatus: HeadStatus | null;
  workflowFiles: string[];
  /** What stands in files, by path; a workflow file that is not here has a text of its own making. */
  files: Map<string, FileContent>;
  security: DoubleSecurity;
  /** Tags, and branches beside the default one. */
  refs: DoubleRef[];
  /** Ids of commits that only forks have, and that the platform finds here all the same. */
  forkCommits: string[];
  /** Branches with a merge queue: pull requests that entered and did not leave are in it. */
  queueBranches?: string[];
  /** After so many minutes their checks time out; 60 where it is not said. */
  queueTimeout?: number;
  /** Why its rules let no branch be created, and no commit be added; undefined where they do. */
  branchRule?: string;
  commitRule?: string;
  /** Accounts that were given access although they are not members of the owning organization. */
  collaborators: string[];
  /** Members of the organization who see it; null for all of them. */
  members: string[] | null;
  workflows: Workflow[];
  /** Attempts of each run, oldest first. */
  runs: Map<number, LiveWorkflowRun[]>;
  /** Jobs by `run id/attempt`. */
  jobs: Map<string, WorkflowJob[]>;
  /** What jobs wrote, by their ids; `expired` where it was deleted by its age. */
  logs: Map<number, string | Buffer | 'expired'>;
  /** The workflows that attempts called, by `run id/attempt`; null where the platform does not say, else none. */
  called: Map<string, { path: string; sha: string }[] | null>;
  /** Jobs of a run that has none in `jobs`. */
  jobsOf: (run: LiveWorkflowRun) => WorkflowJob[];
}

/** Something that happens to a world at an instant. */
export interface PlantedChange {
  at: Instant;
  happen(world: DoubleWorld): void;
}

export interface DoubleWorld {
  /** The instant the world is described at. */
  now: Instant;
  accounts: DoubleAccount[];
  tokens: DoubleToken[];
  organizations: DoubleOrganization[];
  repositories: DoubleRepository[];
  /** Bills of organizations and people; who has none, has none to show. */
  bills?: DoubleBill[];
  /** Published advisories about actions. */
  advisories?: DoubleAdvisory[];
  /** What is still to happen: seen by the first request at or after its instant. */
  planted?: PlantedChange[];
}

/** Lets happen what was planted up to an instant, in the order of the instants. */
export function letHappen(world: DoubleWorld, now: Instant): void {
  const due = (world.planted ?? []).filter(({ at }) => at <= now).sort((one, other) => one.at - other.at);
  world.planted = (world.planted ?? []).filter((one) => !due.includes(one));
  for (const { happen } of due) happen(world);
}

export const sameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

export const fullName = ({ facts }: DoubleRepository) => `${facts.owner}/${facts.repo}`;

/** The repository with this full name, now or formerly. Throws when the world has none. */
export function repositoryOf(world: DoubleWorld, name: string): DoubleRepository {
  const found = findRepository(world, name);
  if (!found) throw new Error(`The world has no repository ${name}`);
  return found.repository;
}

/** Looks a full name up; `moved` says that it is a former name. */
export function findRepository(world: DoubleWorld, name: string) {
  const now = world.repositories.find((one) => sameName(fullName(one), name));
  if (now) return { repository: now, moved: false };
  const former = world.repositories.find((one) => one.formerNames.includes(name.toLowerCase()));
  return former ? { repository: former, moved: true } : null;
}

/** Whether the account may know that the repository exists. */
export function sees(world: DoubleWorld, token: DoubleToken, repository: DoubleRepository): boolean {
  if (token.only && !token.only.some((name) => sameName(name, fullName(repository)))) return false;
  return !repository.facts.private || affiliation(world, token.login, repository) !== null;
}

/** How the account belongs to the repository; null when it does not. */
export function affiliation(world: DoubleWorld, login: string, { facts, collaborators, members }: DoubleRepository) {
  if (sameName(facts.owner, login)) return 'owner';
  if (collaborators.includes(login)) return 'collaborator';
  const account = world.accounts.find((one) => one.login === login);
  const member = account?.memberOf.includes(facts.owner) && (members === null || members.includes(login));
  return member ? 'organization_member' : null;
}

/** The organization with single sign-on that this token was not authorized for and that owns the name; else null. */
export function closedOrganization(world: DoubleWorld, token: DoubleToken, owner: string) {
  const organization = world.organizations.find((one) => sameName(one.login, owner));
  return organization?.singleSignOn && !token.authorizedFor.includes(organization.login) ? organization : null;
}

/** Every run of a repository at its latest attempt, newest first. */
export function latestRuns(repository: DoubleRepository): LiveWorkflowRun[] {
  return [...repository.runs.values()]
    .map((attempts) => attempts.at(-1) as LiveWorkflowRun)
    .sort((one, other) => other.createdAt - one.createdAt || other.id - one.id);
}

export function jobsOf(repository: DoubleRepository, run: LiveWorkflowRun): WorkflowJob[] {
  return repository.jobs.get(`${run.id}/${run.attempt}`) ?? repository.jobsOf(run);
}
