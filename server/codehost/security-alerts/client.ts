import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import type { AlertSource, SecurityAlert } from '../../metrics/security/security-alerts.ts';
import type { Freshness } from '../client/client.ts';

/** How a source of alerts could be read: whole or in part, switched off, rejected to the token, or not at all. */
export type SourceStatus = 'ok' | 'not_enabled' | 'forbidden' | 'error';

/** What one source of alerts reported. */
export interface SourceRead extends Freshness {
  status: SourceStatus;
  /** Why it is not ok, or what is missing though it is; null when all is there. */
  message: string | null;
  /** Empty unless the status is ok, which says nothing about how many there are. */
  open: SecurityAlert[];
  /** Fixed or dismissed since the requested instant; null when they could not be read. */
  ended: SecurityAlert[] | null;
  /** true when a list has more alerts than were read. */
  truncated: boolean;
}

export interface AlertReads {
  /**
   * Security alerts of a repository: the open ones, and those that ended since then. Up to 10 pages of 100 of each,
   * conditional, cached for 5 minutes. A source that cannot be read says so; a reached limit and a missing single
   * sign-on refuse the whole. Secrets themselves are never requested.
   */
  securityAlerts(name: RepositoryName, since: Instant): Promise<Record<AlertSource, SourceRead>>;
}
