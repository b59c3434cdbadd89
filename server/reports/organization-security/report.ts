import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
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
import { countFindings, isRowPartial, toRow } from './row.ts';
import { isScanUnreadable, pageScans } from './scanned.ts';
import { type OrganizationSecurity, securityStates } from './schema.ts';

type Answer = Domain<typeof OrganizationSecurity>;
type State = (typeof securityStates)[number];

export interface ReportInput extends SecurityInput {
  state?: State | undefined;
  table: Answer['table'];
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
    table: input.table,
    limit: input.limit,
    page: reading.page,
    pages: reading.pages,
    totalRepos: repositories.length,
    archivedRepos: listing.items.length - repositories.length,
    listedRepos: reading.candidates,
    readRepos: onPage.length,
    deniedFeatures: [
      ...(lists ? [] : ['securityAlerts' as const]),
      ...(online || input.source ? [] : ['securityScan' as const]),
    ],
    listing: lists && {
      dependabot: toListing(lists.reads.dependabot.status),
      codeScanning: toListing(lists.reads.code_scanning.status),
      secretScanning: toListing(lists.reads.secret_scanning.status),
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
    onlineRules: online,
    needsScope: onPage.some(({ read }) => listSources(read?.sources).some(({ status }) => status === 'forbidden')),
    partial,
    generatedAt: Math.min(...freshness.map(({ asOf }) => asOf)),
    dataSource: 'live',
  };
}

const listings = {
  ok: 'organization',
  denied: 'repositories',
  error: 'error',
  not_requested: 'not_requested',
} as const;
const toListing = (status: keyof typeof listings) => listings[status];

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
  const { lists, now, repositories } = reading;
  const alerts = filterAlerts(reading, input);
  const open = alerts.map(({ alert }) => alert);
  const findings = filterFindings(reading, input);
  const scans = pageScans(reading);
  const known = repositories.filter((one) => one.open !== null).length;
  const isKnown = lists !== null && known > 0;
  return {
    open: isKnown ? severityCounts(open) : null,
    openCount: isKnown ? open.length : null,
    severeCount: isKnown ? severeAlerts(alerts).value : null,
    affectedRepos: isKnown ? affected(reading, input).value : null,
    knownRepos: known,
    oldestOpenDays: oldestOrganizationAlert(now)(alerts).value,
    atLeast: lists !== null && (isAlertPartial(reading) || known < repositories.length),
    findings: scans.isKnown ? countFindings(findings.map(({ finding }) => finding)) : null,
    severeFindings: scans.isKnown ? severeFindings(findings).value : null,
    findingsAtLeast: scans.isKnown && scans.isPartial,
    scannedRepos: scans.scanned,
    unreadableSources: onPage.reduce((sum, one) => sum + countUnreadable(one), 0),
    unreadableRepos: onPage.filter((one) => countUnreadable(one) > 0).length,
    notEnabledSources: onPage
      .flatMap(({ read }) => listSources(read?.sources))
      .filter(({ status }) => status === 'not_enabled').length,
  };
}
