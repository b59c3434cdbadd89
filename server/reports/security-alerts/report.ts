import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { SourceRead } from '../../codehost/security-alerts/client.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import {
  type AlertSource,
  alertAge,
  alertsInOrder,
  daysToFix,
  dismissedAlerts,
  fixedAlerts,
  oldestOpenAlert,
  openAlerts,
  severityCounts,
} from '../../metrics/security/security-alerts.ts';
import { matchesAlert, type SecurityFilter } from '../../metrics/security/security-filter.ts';
import { isPartial, readAlerts } from './reading.ts';
import type { SecurityAlertsReport } from './schema.ts';

type Answer = Domain<typeof SecurityAlertsReport>;

const maxListed = 50;

/** What the platform alerts of, by source. A source that cannot be read is never taken for a clean one. */
export async function securityAlerts(
  { owner, repo, ...filter }: RepositoryName & SecurityFilter,
  context: Context,
  reply: Reply,
): Promise<Answer> {
  const { repository, sources, now, window } = await readAlerts({ owner, repo }, context, reply);
  const reads = Object.values(sources);
  const open = reads.flatMap((read) => read.open);
  const matching = open.filter((alert) => matchesAlert(alert, filter, now));
  const isReadable = reads.some(({ status }) => status === 'ok');
  const toItem = (source: AlertSource) => sourceItem(sources[source], window);
  return {
    repo: `${repository.owner}/${repository.repo}`,
    sources: {
      dependabot: toItem('dependabot'),
      codeScanning: toItem('code_scanning'),
      secretScanning: toItem('secret_scanning'),
    },
    counts: isReadable ? severityCounts(open) : null,
    totalOpen: isReadable ? openAlerts(open).sample : null,
    oldestOpenDays: oldestOpenAlert(now)(open).value,
    matchingOpen: isReadable ? matching.length : null,
    alerts: alertsInOrder(matching)
      .slice(0, maxListed)
      .map((alert) => ({ ...alert, ageDays: alertAge(alert, now) })),
    anyReadable: isReadable,
    needsScope: reads.some(({ status }) => status === 'forbidden'),
    partial: reads.some(isPartial),
    generatedAt: Math.min(...reads.map(({ asOf }) => asOf)),
    dataSource: 'live',
  };
}

function sourceItem(
  { status, message, open, ended, truncated, endedTruncated }: SourceRead,
  window: Window,
): Answer['sources']['dependabot'] {
  return {
    status,
    message,
    truncated,
    endedTruncated,
    openCount: status === 'ok' ? openAlerts(open).sample : null,
    fixedLast90d: ended && fixedAlerts(window)(ended).sample,
    dismissedLast90d: ended && dismissedAlerts(window)(ended).sample,
    mttrDays: ended && daysToFix(window)(ended).value,
    mttrMedianDays: ended && daysToFix(window, 'median')(ended).value,
  };
}
