import type { Context, Reply } from '../../access/context.ts';
import type { SourceRead } from '../../codehost/security-alerts/client.ts';
import type { Instant, Repository, RepositoryName } from '../../metrics/kernel/facts.ts';
import { lastDaysWindow, type Window } from '../../metrics/kernel/window.ts';
import type { AlertSource } from '../../metrics/security/security-alerts.ts';
import { noteCanonicalName, noteFreshness } from '../kernel/notes.ts';

/** What the platform alerts of in a repository that the caller was shown to see. */
export interface AlertReading {
  repository: Repository;
  sources: Record<AlertSource, SourceRead>;
  now: Instant;
  /** The 90 days in which alerts that ended are known. */
  window: Window;
}

/** true where a source was not read, or more are open than were read. */
export const isOpenPartial = ({ status, truncated }: SourceRead): boolean => status !== 'ok' || truncated;

/** The same of those that ended. */
export const isEndedPartial = ({ ended, endedTruncated }: SourceRead): boolean => ended === null || endedTruncated;

/** The same of either. */
export const isPartial = (read: SourceRead): boolean => isOpenPartial(read) || isEndedPartial(read);

/** Reads the alerts of all sources and reports on the reply how fresh and complete they are. */
export async function readAlerts(name: RepositoryName, context: Context, reply: Reply): Promise<AlertReading> {
  const codehost = await context.codehost();
  // Without this proof a hidden repository would look like one without any alerts.
  const repository = await codehost.repositories.get(name);
  const now = context.services.clock.now();
  const window = lastDaysWindow(90, now);
  const sources = await codehost.securityAlerts(name, window.from);
  const reads = Object.values(sources);
  for (const read of reads) noteFreshness(reply, read);
  noteCanonicalName(reply, codehost, name);
  if (reads.some(isPartial)) reply.headers.set('X-Partial', 'true');
  return { repository, sources, now, window };
}
