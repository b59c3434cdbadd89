import type { Context } from '../../access/context.ts';
import { mayUse } from '../../access/decision.ts';
import type { Domain } from '../../api/wire.ts';
import type { Listing } from '../../codehost/client/client.ts';
import type { WorkflowFiles } from '../../codehost/workflow-files/client.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import type { AlertSource, SecurityAlert } from '../../metrics/security/security-alerts.ts';
import type { SecurityFilter } from '../../metrics/security/security-filter.ts';
import { Problem } from '../../platform/problem.ts';
import type { ScannedFile } from '../security-scan/files.ts';
import type { OnlineRules } from '../security-scan/online.ts';
import { scanRepositories } from '../security-scan/scans.ts';
import {
  alertBudget,
  isReadable,
  isUnreadable,
  type ListedAlerts,
  listAlerts,
  readSources,
  type Sources,
} from './alerts.ts';
import { selectCandidates } from './order.ts';

/** Which repositories of an organization are wanted, and what of them. */
export interface SecurityInput extends SecurityFilter {
  org: string;
  limit: number;
  page: number;
  /** The only source that is read; all of them, and workflow files, without it. */
  source?: AlertSource | undefined;
}

/** What is known of the security of an organization's repositories. */
export interface SecurityReading {
  listing: Listing<Repository>;
  now: Instant;
  /** The organization's lists; null without the feature for alerts. */
  lists: ListedAlerts | null;
  /** Every repository that is not archived: what was read of it, or what the lists tell. */
  repositories: KnownRepository[];
  /** How many may match; the page is of these. */
  candidates: number;
  page: number;
  pages: number;
  /** Whether the rules that ask the platform were applied; null where findings are not read. */
  online: Domain<typeof OnlineRules> | null;
}

export interface KnownRepository {
  repository: Repository;
  /** Open alerts as far as they are known; null where they are not at all. */
  open: SecurityAlert[] | null;
  /** true when all open alerts are known. */
  isComplete: boolean;
  /** null for those that are not on the page. */
  read: ReadRepository | null;
}

/** What was read of a repository of the page. */
export interface ReadRepository {
  /** null without the feature for alerts. */
  sources: Sources | null;
  /** null where findings are not read. */
  workflows: ReadWorkflows | Problem | null;
}

export interface ReadWorkflows {
  files: WorkflowFiles;
  scanned: ScannedFile[];
}

/**
 * Reads the alerts of an organization by its own lists, and of the repositories of a page whatever these do not tell:
 * the sources that they refuse, one by one, and the workflow files. Archived repositories are left out, because the
 * platform alerts of none. Throws `not_found` for a personal account.
 */
export async function readSecurity(input: SecurityInput, context: Context): Promise<SecurityReading> {
  const codehost = await context.codehost();
  const [seesAlerts, seesFindings] = await Promise.all([
    mayUse('securityAlerts', context),
    input.source === undefined && mayUse('securityScan', context),
  ]);
  const [listing, lists] = await Promise.all([
    codehost.repositories.ofOrganization(input.org),
    seesAlerts ? codehost.organizationAlerts(input.org, input.source).then(listAlerts) : null,
  ]);
  const now = context.services.clock.now();
  const live = listing.items.filter(({ archived }) => !archived);
  const candidates = selectCandidates(live, { lists, seesFindings, filter: input, now });
  const pages = Math.max(1, Math.ceil(candidates.length / input.limit));
  const page = Math.min(input.page, pages);
  const shown = candidates.slice((page - 1) * input.limit, page * input.limit);
  const budget = alertBudget();
  const [sources, scans] = await Promise.all([
    lists && Promise.all(shown.map((one) => readSources(one, lists, codehost, budget))),
    seesFindings ? readWorkflows(shown, context) : null,
  ]);
  const places = new Map(shown.map((one, index) => [one.id, index]));
  const repositories = live.map((repository): KnownRepository => {
    const place = places.get(repository.id);
    const read =
      place === undefined ? null : { sources: sources?.[place] ?? null, workflows: scans?.repositories[place] ?? null };
    return { repository, read, ...knownAlerts(repository, read?.sources ?? null, lists) };
  });
  return {
    listing,
    now,
    lists,
    repositories,
    candidates: candidates.length,
    page,
    pages,
    online: scans?.online ?? null,
  };
}

/** Of a repository of the page by its sources, of others by the organization's lists. */
function knownAlerts(repository: Repository, sources: Sources | null, lists: ListedAlerts | null) {
  if (sources) {
    const states = Object.values(sources);
    const readable = states.filter(isReadable);
    return {
      open: readable.length === 0 ? null : readable.flatMap(({ open }) => open),
      isComplete: !states.some((state) => isUnreadable(state) || state.truncated),
    };
  }
  if (!lists || lists.readable === 0) return { open: null, isComplete: false };
  const open = lists.select(repository);
  // A list that has none of a repository does not tell whether its sources are on.
  return { open: open.length === 0 ? null : open, isComplete: lists.isComplete };
}

async function readWorkflows(repositories: readonly Repository[], context: Context) {
  const codehost = await context.codehost();
  const reads = await codehost.workflowFilesOfMany(repositories);
  const files = reads.filter((one): one is WorkflowFiles => !(one instanceof Problem));
  const { repositories: scans, online } = await scanRepositories(files, context);
  const scanned = new Map(files.map((one, index) => [one, scans[index] ?? []]));
  return {
    online,
    repositories: reads.map((one): ReadWorkflows | Problem =>
      one instanceof Problem ? one : { files: one, scanned: scanned.get(one) ?? [] },
    ),
  };
}
