import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import type { AlertSource, RepositoryAlert, SecurityAlert } from '../../metrics/security/security-alerts.ts';
import type { Freshness } from '../client/client.ts';

/** How a source of alerts could be read: completely or in part, switched off, rejected to the token, or not at all. */
export type SourceStatus = 'ok' | 'not_enabled' | 'forbidden' | 'error';

/** What one source of alerts reported of what is open in a repository. */
export interface OpenRead extends Freshness {
  status: SourceStatus;
  /** Why it is not ok, or what is missing though it is; null when all is there. */
  message: string | null;
  /** Empty unless the status is ok, which does not mean that there are none. */
  open: SecurityAlert[];
  /** true when more are open than were read. */
  truncated: boolean;
}

/** What one source of alerts reported. */
export interface SourceRead extends OpenRead {
  /** Fixed or dismissed since the requested instant; null when they could not be read. */
  ended: SecurityAlert[] | null;
  /** true when more of those ended than were read. */
  endedTruncated: boolean;
}

/** What one source of alerts reported of all repositories of an organization. */
export interface OrganizationRead extends Freshness {
  /**
   * denied: not for this token, or the source is off; only a request for the repository itself can show more.
   * not_requested: another source was.
   */
  status: 'ok' | 'denied' | 'error' | 'not_requested';
  message: string | null;
  /**
   * Empty unless the status is ok. A repository without any alert has none open, or its source is off: the list does
   * not show which.
   */
  open: RepositoryAlert[];
  truncated: boolean;
}

/** How many lists of repositories may still be requested; each call of `openAlerts` that sends a request takes one. */
export interface AlertBudget {
  lists: number;
}

export interface AlertReads {
  /**
   * Security alerts of a repository: the open ones, and those that ended since then. Up to 10 pages of 100 of each,
   * conditional, cached for 5 minutes. A source that cannot be read is marked so; a reached limit and a missing single
   * sign-on reject all. Secrets themselves are never requested.
   */
  securityAlerts(name: RepositoryName, since: Instant): Promise<Record<AlertSource, SourceRead>>;
  /** The open alerts of one source, from the same copies; null where there is none and the budget is used up. */
  openAlerts(name: RepositoryName, source: AlertSource, budget: AlertBudget): Promise<OpenRead | null>;
  /**
   * Open alerts of all repositories of an organization, the oldest first: up to 10 pages of 100 of each source,
   * conditional, cached for 5 minutes. Only owners and security managers may read them. With `only` one source is read.
   */
  organizationAlerts(org: string, only?: AlertSource): Promise<Record<AlertSource, OrganizationRead>>;
}
