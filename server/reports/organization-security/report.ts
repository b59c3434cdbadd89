import type { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import { oldestOrganizationAlert, severeAlerts, severeFindings } from '../../metrics/security/organization-security.ts';
import { severityCounts } from '../../metrics/security/security-alerts.ts';
import { hasFilter, matchesAlert } from '../../metrics/security/security-filter.ts';
import { noteFreshness, noteListing } from '../kernel/notes.ts';
import { isUnreadable, type SourceState, type Sources } from './alerts.ts';
import { affected, filterAlerts, filterFindings } from './counted.ts';
import { listEntries } from './entries.ts';
import { countFacets } from './facets.ts';
import { compareAlerts } from './order.ts';
import { type KnownRepository, readSecurity, type SecurityInput, type SecurityReading } from './reading.ts';
import { countFindings, isRowPartial, isScanUnreadable, toRow } from './row.ts';
import { type OrganizationSecurity, securityStates } from './schema.ts';

type Answer = z.input<typeof OrganizationSecurity>;
type State = (typeof securityStates)[number];

export interface ReportInput extends SecurityInput {
  state?: State | undefined;
}

/** What is open in the repositories of an organization, and what of it is not known. An unread source is never clean. */
export async function organizationSecurity(input: ReportInput, context: Context, reply: Reply): Promise<Answer> {
  const reading = await readSecurity(input, context);
  const { listing, now, lists, repositories, online } = reading;
  const onPage = repositories.filter(({ read }) => read !== null);
  const partial = listing.partial || onPage.some(isRowPartial) || isAlertPartial(reading);
  const freshness = listFreshness(reading);
  noteListing(reply, { ...listing, partial });
  for (const one of freshness) noteFreshness(reply, one);
  const entries = repositories.flatMap((one) => listEntries(one, now));
  const matching = hasFilter(input)
    ? new Set(entries.filter(({ matches }) => matches(input)).map(({ repositoryId }) => repositoryId))
    : null;
  const rows = onPage.filter(({ repository }) => matching === null || matching.has(repository.id));
  return {
    org: input.org,
    limit: input.limit,
    page: reading.page,
    pages: reading.pages,
    total_repos: repositories.length,
    archived_repos: listing.items.length - repositories.length,
    listed_repos: reading.candidates,
    read_repos: onPage.length,
    denied_features: [...(lists ? [] : ['securityAlerts' as const]), ...(online ? [] : ['securityScan' as const])],
    listing: lists && {
      dependabot: toListing(lists.reads.dependabot.status),
      code_scanning: toListing(lists.reads.code_scanning.status),
      secret_scanning: toListing(lists.reads.secret_scanning.status),
    },
    summary: summarize(input, reading, onPage),
    facets: {
      ...countFacets(entries, input, now),
      state: securityStates.map((value) => ({ value, repos: rows.filter((one) => hasState(one, value)).length })),
    },
    repos: rows
      .filter((one) => input.state === undefined || hasState(one, input.state))
      .map((one) => ({ one, alerts: (one.open ?? []).filter((alert) => matchesAlert(alert, input, now)) }))
      .sort((a, b) => compareAlerts(a.alerts, b.alerts, input))
      .map(({ one, alerts }) => toRow(one, alerts, input, now)),
    online_rules: online,
    needs_scope: onPage.some(({ read }) => listSources(read?.sources).some(({ status }) => status === 'forbidden')),
    partial,
    generated_at: Math.min(...freshness.map(({ asOf }) => asOf)),
    data_source: 'live',
  };
}

const toListing = (status: 'ok' | 'denied' | 'error') =>
  status === 'ok' ? 'organization' : status === 'denied' ? 'repositories' : 'error';

const listSources = (sources: Sources | null | undefined): SourceState[] => Object.values(sources ?? {});

/** Whether more alerts may be open than are known. */
const isAlertPartial = ({ lists, repositories }: SecurityReading) =>
  lists !== null && repositories.some(({ isComplete }) => !isComplete);

function listFreshness({ listing, lists, repositories }: SecurityReading) {
  const reads = repositories.flatMap(({ read }) => (read ? [read] : []));
  return [
    listing,
    ...(lists ? Object.values(lists.reads) : []),
    ...reads.flatMap(({ sources }) => listSources(sources)),
    ...reads.flatMap(({ workflows }) => (workflows && 'files' in workflows ? workflows.files : [])),
  ];
}

/** Whether a row is shown for a choice of state; a scan without any result counts as a source. */
function hasState(known: KnownRepository, state: State): boolean {
  if (state === 'unreadable') return countUnreadable(known) > 0;
  return listSources(known.read?.sources).some(({ status }) => status === 'not_enabled');
}

const countUnreadable = ({ read }: KnownRepository): number =>
  listSources(read?.sources).filter(isUnreadable).length + (isScanUnreadable(read) ? 1 : 0);

function summarize(input: ReportInput, reading: SecurityReading, onPage: readonly KnownRepository[]) {
  const { lists, now, online, repositories } = reading;
  const alerts = filterAlerts(reading, input);
  const open = alerts.map(({ alert }) => alert);
  const findings = filterFindings(reading, input);
  const known = repositories.filter((one) => one.open !== null).length;
  const isKnown = lists !== null && known > 0;
  return {
    open: isKnown ? severityCounts(open) : null,
    open_count: isKnown ? open.length : null,
    severe_count: isKnown ? severeAlerts(alerts).value : null,
    affected_repos: isKnown ? affected(reading, input).value : null,
    known_repos: known,
    oldest_open_days: oldestOrganizationAlert(now)(alerts).value,
    at_least: isAlertPartial(reading),
    findings: online && countFindings(findings.map(({ finding }) => finding)),
    severe_findings: online && severeFindings(findings).value,
    unreadable_sources: onPage.reduce((sum, one) => sum + countUnreadable(one), 0),
    unreadable_repos: onPage.filter((one) => countUnreadable(one) > 0).length,
    not_enabled_sources: onPage
      .flatMap(({ read }) => listSources(read?.sources))
      .filter(({ status }) => status === 'not_enabled').length,
  };
}
