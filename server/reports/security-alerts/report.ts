import type { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { SourceRead } from '../../codehost/security-alerts/client.ts';
import { toWire } from '../../domain/wire.ts';
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

type Answer = z.input<typeof SecurityAlertsReport>;

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
      code_scanning: toItem('code_scanning'),
      secret_scanning: toItem('secret_scanning'),
    },
    counts: isReadable ? severityCounts(open) : null,
    total_open: isReadable ? openAlerts(open).sample : null,
    oldest_open_days: oldestOpenAlert(now)(open).value,
    matching_open: isReadable ? matching.length : null,
    alerts: alertsInOrder(matching)
      .slice(0, maxListed)
      .map((alert) => ({ ...toWire(alert), age_days: alertAge(alert, now) })),
    any_readable: isReadable,
    needs_scope: reads.some(({ status }) => status === 'forbidden'),
    partial: reads.some(isPartial),
    generated_at: Math.min(...reads.map(({ asOf }) => asOf)),
    data_source: 'live',
  };
}

function sourceItem(
  { status, message, open, ended, truncated }: SourceRead,
  window: Window,
): Answer['sources']['dependabot'] {
  return {
    status,
    message,
    truncated,
    open_count: status === 'ok' ? openAlerts(open).sample : null,
    fixed_last_90d: ended && fixedAlerts(window)(ended).sample,
    dismissed_last_90d: ended && dismissedAlerts(window)(ended).sample,
    mttr_days: ended && daysToFix(window)(ended).value,
    mttr_median_days: ended && daysToFix(window, 'median')(ended).value,
  };
}
