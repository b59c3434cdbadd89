import type { Platform } from '../../codehost/changes/client.ts';
import type { OpenRead, OrganizationRead } from '../../codehost/security-alerts/client.ts';
import type { Repository, RepositoryName } from '../../metrics/kernel/facts.ts';
import { type AlertSource, alertSources, type SecurityAlert } from '../../metrics/security/security-alerts.ts';
import { nameKey } from '../repositories/visibility.ts';

/**
 * How the alerts of a source are known: read, absent from the organization's list, which does not tell whether the
 * source is on, or not known for one of the other reasons.
 */
export const sourceStatuses = [
  'ok',
  'none_listed',
  'not_enabled',
  'forbidden',
  'error',
  'not_read',
  'not_requested',
] as const;

/** One source of a repository. */
export interface SourceState extends Pick<OpenRead, 'message' | 'open' | 'truncated' | 'stale' | 'asOf'> {
  status: (typeof sourceStatuses)[number];
}

export type Sources = Record<AlertSource, SourceState>;

/** Whether the source is known to be on, and its alerts are known. */
export const isReadable = ({ status }: Pick<SourceState, 'status'>): boolean => status === 'ok';

/** Whether alerts may be open of which nothing is known; a source that is off has none. */
export const isUnreadable = ({ status }: Pick<SourceState, 'status'>): boolean =>
  status === 'forbidden' || status === 'error' || status === 'not_read';

/** What the lists of an organization tell, source by source. */
export interface ListedAlerts {
  reads: Record<AlertSource, OrganizationRead>;
  /** How many of the sources could be read. */
  readable: number;
  /** true when all that were requested were read to their ends. */
  isComplete: boolean;
  /** The open alerts of a repository by the lists that could be read. */
  select(name: RepositoryName): SecurityAlert[];
}

export function listAlerts(reads: Record<AlertSource, OrganizationRead>): ListedAlerts {
  const all = Object.values(reads);
  const alerts = Map.groupBy(
    all.flatMap(({ open }) => open),
    ({ repository }) => nameKey(repository),
  );
  return {
    reads,
    readable: all.filter(({ status }) => status === 'ok').length,
    isComplete: all.every(({ status, truncated }) => ['ok', 'not_requested'].includes(status) && !truncated),
    select: (name) => (alerts.get(nameKey(name)) ?? []).map(({ alert }) => alert),
  };
}

/** How many lists of single repositories one answer may ask for; the next answer goes on. */
export const alertBudget = () => ({ lists: 60 });

/** The sources of a repository: by the organization's list, and where that is refused by its own. */
export async function readSources(
  repository: Repository,
  lists: ListedAlerts,
  codehost: Platform,
  budget: ReturnType<typeof alertBudget>,
): Promise<Sources> {
  const listed = lists.select(repository);
  const read = async (source: AlertSource): Promise<SourceState> => {
    const list = lists.reads[source];
    if (list.status === 'denied') return (await codehost.openAlerts(repository, source, budget)) ?? notRead(list);
    if (list.status === 'not_requested') return { ...list, status: list.status, open: [] };
    const { message, truncated, stale, asOf } = list;
    const open = listed.filter((alert) => alert.source === source);
    const status = list.status === 'error' ? 'error' : open.length > 0 ? 'ok' : 'none_listed';
    return { status, message: status === 'none_listed' ? noneListed : message, open, truncated, stale, asOf };
  };
  const [dependabot, codeScanning, secretScanning] = await Promise.all(alertSources.map(read));
  return { dependabot, code_scanning: codeScanning, secret_scanning: secretScanning } as Sources;
}

const noneListed = 'No open alert in the list of the organization, which does not tell whether the source is on.';

const notRead = ({ asOf }: OrganizationRead): SourceState => ({
  status: 'not_read',
  message: 'Not read yet: too many repositories for one answer. Load the page again to continue.',
  open: [],
  truncated: false,
  stale: false,
  asOf,
});
