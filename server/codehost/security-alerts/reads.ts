import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import { type AlertSource, alertSources, type SecurityAlert } from '../../metrics/security/security-alerts.ts';
import { Problem } from '../../platform/problem.ts';
import { describePartial, mergeExcluded } from '../client/readable-items.ts';
import type { Read } from '../client/reader.ts';
import type { DeliveryContext } from '../delivery/context.ts';
import type { AlertReads, OpenRead, OrganizationRead, SourceRead } from './client.ts';
import { type SourceError, sourceError, unreadableSource } from './errors.ts';
import {
  type AlertList,
  type AlertPage,
  createOrganizationReading,
  createRepositoryReading,
  readList,
} from './pages.ts';
import type { WireAlert } from './wire.ts';

/** Reads of the platform's security alerts. */
export const createSecurityAlerts = (context: AlertContext): AlertReads => ({
  securityAlerts: (name, since) => readEverySource((source) => readSource(context, source, name, since)),
  async openAlerts(name, source, budget) {
    if (context.reader.fresh(createRepositoryReading(source, 'open', name)({})) === null) {
      if (budget.lists <= 0) return null;
      budget.lists -= 1;
    }
    return readOpen(context, source, name);
  },
  organizationAlerts: (org, only = undefined) =>
    readEverySource(async (source) =>
      only === undefined || only === source ? readOrganization(context, source, org) : notRequested(context),
    ),
});

type AlertContext = Pick<DeliveryContext, 'reader' | 'clock'>;

async function readEverySource<T>(read: (source: AlertSource) => Promise<T>): Promise<Record<AlertSource, T>> {
  const [dependabot, codeScanning, secretScanning] = await Promise.all(alertSources.map(read));
  return { dependabot, code_scanning: codeScanning, secret_scanning: secretScanning } as Record<AlertSource, T>;
}

async function readSource(
  context: AlertContext,
  source: AlertSource,
  name: RepositoryName,
  since: Instant,
): Promise<SourceRead> {
  const open = await readList(context.reader, createRepositoryReading(source, 'open', name));
  if (open.error) return { ...failedRead(context, source, open), ended: null, endedTruncated: false };
  // Sorted by the last change, which an end is: behind an older change nothing has ended since.
  const isEnough = ({ items }: AlertPage<WireAlert>) =>
    items.some(({ updatedAt }) => updatedAt !== null && updatedAt < since);
  const ended = await readList(context.reader, createRepositoryReading(source, 'ended', name), isEnough);
  const known = ended.error ? null : ended;
  const notes = noteList(source, known ? [open, known] : [open]);
  return {
    status: 'ok',
    ...notes,
    message: known ? notes.message : 'Fixed and dismissed alerts could not be loaded.',
    open: openIn(open),
    truncated: isCut(open),
    endedTruncated: known !== null && isCut(known),
    ended: known && listAlerts(known).filter((one) => one.state !== 'open' && (one.endedAt ?? since) >= since),
  };
}

async function readOpen(context: AlertContext, source: AlertSource, name: RepositoryName): Promise<OpenRead> {
  const list = await readList(context.reader, createRepositoryReading(source, 'open', name));
  if (list.error) return failedRead(context, source, list);
  return { status: 'ok', ...noteList(source, [list]), truncated: isCut(list), open: openIn(list) };
}

const failedRead = (context: AlertContext, source: AlertSource, list: AlertList<WireAlert>): OpenRead => ({
  ...toSourceError(source, list),
  ...nothing(context, list),
  open: [],
});

const openIn = (list: AlertList<WireAlert>) => listAlerts(list).filter(({ state }) => state === 'open');

async function readOrganization(context: AlertContext, source: AlertSource, org: string): Promise<OrganizationRead> {
  const list = await readList(context.reader, createOrganizationReading(source, org));
  if (list.error) {
    const reason = toSourceError(source, list);
    // What is denied for the organization may be open for a repository; an outage is one for both.
    const status = reason.status === 'error' ? 'error' : 'denied';
    return { status, message: reason.message, ...nothing(context, list), open: [] };
  }
  const open = list.pages.flatMap(({ value }) => value.items).filter(({ alert }) => alert.state === 'open');
  const toKey = ({ repository, alert }: (typeof open)[number]) =>
    `${repository.owner}/${repository.repo} ${alert.number}`;
  const alerts = [...new Map(open.map((one) => [toKey(one), one])).values()];
  return {
    status: 'ok',
    ...noteList(source, [list]),
    truncated: isCut(list),
    open: alerts.map(({ repository, alert }) => ({ repository, alert })),
  };
}

const notRequested = ({ clock }: AlertContext): OrganizationRead => ({
  status: 'not_requested',
  message: null,
  open: [],
  truncated: false,
  stale: false,
  asOf: clock.now(),
});

/** Whether there is more than was read, be it in the pages that were. */
const isCut = ({ pages, truncated }: AlertList<unknown>) =>
  truncated || pages.some(({ value }) => value.excluded !== null);

/** What is missing in lists that were read, and how fresh they are. */
function noteList(source: AlertSource, lists: readonly AlertList<unknown>[]) {
  const pages = lists.flatMap((list) => list.pages);
  const excluded = mergeExcluded(pages.map(({ value }) => value));
  return {
    message: describePartial(`${source.replaceAll('_', ' ')} alerts`, excluded) ?? null,
    stale: pages.some(({ stale }) => stale),
    asOf: Math.min(...pages.map(({ asOf }) => asOf)),
  };
}

const nothing = ({ clock }: AlertContext, list: AlertList<unknown>) => ({
  truncated: false,
  stale: false,
  asOf: list.pages[0]?.asOf ?? clock.now(),
});

/** Why there is nothing; that it was off before an outage does not mean that it still is. */
function toSourceError(source: AlertSource, { error, pages }: AlertList<unknown>): SourceError {
  if (error === null || pages[0]?.stale) return unreadableSource(source);
  if (!(error instanceof Problem)) return sourceError(source, error);
  const isUnread = error.details?.upstream_fields !== undefined;
  return isUnread ? { status: 'error', message: error.message } : unreadableSource(source);
}

/** Alerts move between pages while they are read: each is given once. */
const listAlerts = ({ pages }: { pages: Read<AlertPage<WireAlert>>[] }): SecurityAlert[] => [
  ...new Map(pages.flatMap(({ value }) => value.items).map(({ alert }) => [alert.number, alert])).values(),
];
