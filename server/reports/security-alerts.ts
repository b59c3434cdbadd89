import type { z } from 'zod';
import type { Context, Reply } from '../access/context.ts';
import type { SourceRead } from '../codehost/security-alerts-client.ts';
import type { Instant, RepositoryName } from '../metrics/facts.ts';
import {
  type AlertSource,
  alertAge,
  alertsInOrder,
  daysToFix,
  dismissedAlerts,
  fixedAlerts,
  oldestOpenAlert,
  openAlerts,
  type SecurityAlert,
  severityCounts,
} from '../metrics/security-alerts.ts';
import type { Window } from '../metrics/window.ts';
import { iso } from './instants.ts';
import { isPartial, readAlerts } from './security-alerts-reading.ts';
import type { SecurityAlertsReport } from './security-alerts-schema.ts';

type Answer = z.input<typeof SecurityAlertsReport>;

const mostListed = 50;

/** What the platform alerts of, by source. A source that cannot be read is never taken for a clean one. */
export async function securityAlerts({ owner, repo }: RepositoryName, context: Context, reply: Reply): Promise<Answer> {
  const { repository, sources, now, window } = await readAlerts({ owner, repo }, context, reply);
  const reads = Object.values(sources);
  const open = reads.flatMap((read) => read.open);
  const isReadable = reads.some(({ status }) => status === 'ok');
  const of = (source: AlertSource) => sourceItem(sources[source], window);
  return {
    repo: `${repository.owner}/${repository.repo}`,
    sources: {
      ...{ dependabot: of('dependabot'), code_scanning: of('code_scanning'), secret_scanning: of('secret_scanning') },
    },
    counts: isReadable ? severityCounts(open) : null,
    total_open: isReadable ? openAlerts(open).sample : null,
    oldest_open_days: oldestOpenAlert(now)(open).value,
    alerts: alertsInOrder(open)
      .slice(0, mostListed)
      .map((alert) => alertItem(alert, now)),
    any_readable: isReadable,
    needs_scope: reads.some(({ status }) => status === 'forbidden'),
    partial: reads.some(isPartial),
    ...{ generated_at: iso(Math.min(...reads.map(({ asOf }) => asOf))), data_source: 'live' },
  };
}

function sourceItem(
  { status, message, open, ended, truncated }: SourceRead,
  window: Window,
): Answer['sources']['dependabot'] {
  return {
    ...{ status, message, truncated },
    open_count: status === 'ok' ? openAlerts(open).sample : null,
    fixed_last_90d: ended && fixedAlerts(window)(ended).sample,
    dismissed_last_90d: ended && dismissedAlerts(window)(ended).sample,
    mttr_days: ended && daysToFix(window)(ended).value,
    mttr_median_days: ended && daysToFix(window, 'median')(ended).value,
  };
}

function alertItem(alert: SecurityAlert, now: Instant): Answer['alerts'][number] {
  const { source, number, severity, title, subject, cvss, epss, ecosystem, path, tool } = alert;
  return {
    ...{ source, number, severity, title, subject, html_url: alert.htmlUrl, created_at: iso(alert.createdAt) },
    ...{ age_days: alertAge(alert, now), cvss, epss, ecosystem, fix_available: alert.fixAvailable },
    ...{ path, publicly_leaked: alert.publiclyLeaked, tool },
  };
}
