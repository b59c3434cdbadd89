import type { z } from 'zod';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import { type AlertSource, alertSources, type SecurityAlert } from '../../metrics/security/security-alerts.ts';
import { Problem, type ProblemCode } from '../../platform/problem.ts';
import { pageSize } from '../client/listing.ts';
import { repositoryParams } from '../client/names.ts';
import { isUnavailable } from '../client/part-errors.ts';
import { describePartial, mergeExcluded, type ReadableItems, readableItems } from '../client/readable-items.ts';
import type { Read, Reader, Reading } from '../client/reader.ts';
import type { AnswerHeaders } from '../client/transport.ts';
import { type DeliveryContext, minuteMs } from '../delivery/context.ts';
import type { AlertReads, SourceRead } from './client.ts';
import { type SourceError, sourceError, unreadableSource } from './errors.ts';
import { codeScanningAlert, dependabotAlert, secretScanningAlert, type WireAlert } from './wire.ts';

/** Reads of the platform's security alerts. */
export const createSecurityAlerts = (context: AlertContext): AlertReads => ({
  async securityAlerts(name, since) {
    const reads = alertSources.map(async (source) => [source, await readSource(context, source, name, since)] as const);
    return Object.fromEntries(await Promise.all(reads)) as Record<AlertSource, SourceRead>;
  },
});

type AlertContext = Pick<DeliveryContext, 'reader' | 'clock'>;

const maxPages = 10;

interface SourceQuestion {
  path: string;
  schema: z.ZodType<WireAlert>;
  open: Record<string, string>;
  /** What ended, the newest change first. */
  ended: Record<string, string>;
}

const newestChange = { sort: 'updated', direction: 'desc' };

const questions: Record<AlertSource, SourceQuestion> = {
  dependabot: {
    path: 'dependabot/alerts',
    schema: dependabotAlert,
    open: { state: 'open' },
    ended: { state: 'fixed,dismissed,auto_dismissed', ...newestChange },
  },
  // Takes one state at a time: all of them are requested, and the open ones among them excluded.
  code_scanning: {
    path: 'code-scanning/alerts',
    schema: codeScanningAlert,
    open: { state: 'open' },
    ended: newestChange,
  },
  secret_scanning: {
    path: 'secret-scanning/alerts',
    schema: secretScanningAlert,
    open: { state: 'open', hide_secret: 'true' },
    ended: { state: 'resolved', hide_secret: 'true', ...newestChange },
  },
};

interface AlertPage extends ReadableItems<WireAlert> {
  error: SourceError | null;
  /** What to add to the question for the page after; null after the last. */
  next: Record<string, string> | null;
}

interface AlertList {
  pages: Read<AlertPage>[];
  /** null when the first page was given. */
  error: SourceError | null;
  /** true when there are more pages than were read. */
  truncated: boolean;
}

async function readSource(
  { reader, clock }: AlertContext,
  source: AlertSource,
  name: RepositoryName,
  since: Instant,
): Promise<SourceRead> {
  const list = (kind: 'open' | 'ended', isEnough: (page: AlertPage) => boolean) =>
    readList(reader, createPageReading(source, kind, name), isEnough).catch((error) => orUnreadable(source, error));
  const open = await list('open', () => false);
  const [first] = open.pages;
  if (open.error) {
    // That it was off before the outage does not say that it still is.
    const reason = first?.stale ? unreadableSource(source) : open.error;
    const asOf = first?.asOf ?? clock.now();
    return { ...reason, open: [], ended: null, truncated: false, stale: false, asOf };
  }
  // Sorted by the last change, which an end is: behind an older change nothing has ended since.
  const isPast = ({ items }: AlertPage) => items.some(({ updatedAt }) => updatedAt !== null && updatedAt < since);
  const ended = await list('ended', isPast);
  const known = ended.error ? null : ended;
  const pages = [...open.pages, ...(known?.pages ?? [])];
  const excluded = mergeExcluded(pages.map(({ value }) => value));
  const exclusionReason = describePartial(`list alerts: ${source}`, excluded) ?? null;
  return {
    status: 'ok',
    message: known ? exclusionReason : 'What was fixed or dismissed could not be read.',
    open: listAlerts(open).filter(({ state }) => state === 'open'),
    ended: known && listAlerts(known).filter((one) => one.state !== 'open' && (one.endedAt ?? since) >= since),
    truncated: open.truncated || (known?.truncated ?? false) || excluded !== null,
    stale: pages.some(({ stale }) => stale),
    asOf: Math.min(...pages.map(({ asOf }) => asOf)),
  };
}

/** Alerts move between pages while they are read: each is given once. */
const listAlerts = ({ pages }: AlertList): SecurityAlert[] => [
  ...new Map(pages.flatMap(({ value }) => value.items).map(({ alert }) => [alert.number, alert])).values(),
];

/** Page after page, because one source knows no page numbers; what was read before a failure stays. */
async function readList(
  reader: Reader,
  page: (next: Record<string, string>) => Reading<AlertPage>,
  isEnough: (page: AlertPage) => boolean,
): Promise<AlertList> {
  const pages: Read<AlertPage>[] = [];
  let next: Record<string, string> | null = {};
  while (next !== null && pages.length < maxPages) {
    const read: Read<AlertPage> | null = await reader.read(page(next)).catch((error) => {
      if (pages.length > 0 && isUnavailable(error)) return null;
      throw error;
    });
    if (read === null || (pages.length > 0 && read.value.error)) return { pages, error: null, truncated: true };
    pages.push(read);
    if (read.value.error) return { pages, error: read.value.error, truncated: false };
    next = isEnough(read.value) ? null : read.value.next;
  }
  return { pages, error: null, truncated: next !== null };
}

/** A reached limit, a rejected token and a missing single sign-on concern every source, so they refuse the whole. */
function orUnreadable(source: AlertSource, error: unknown): AlertList {
  const isOfAll = !(error instanceof Problem) || ofAll.has(error.code);
  if (isOfAll) throw error;
  const isUnread = error.details?.upstream_fields !== undefined;
  const reason = isUnread ? { status: 'error' as const, message: error.message } : unreadableSource(source);
  return { pages: [], error: reason, truncated: false };
}

const ofAll: ReadonlySet<ProblemCode> = new Set(['upstream_rate_limited', 'unauthenticated', 'sso_required']);

function createPageReading(source: AlertSource, kind: 'open' | 'ended', name: RepositoryName) {
  const { path, schema, [kind]: wanted } = questions[source];
  const repository = repositoryParams(name);
  return (next: Record<string, string>): Reading<AlertPage> => ({
    operation: `list ${kind} alerts: ${source}`,
    route: `GET /repos/{owner}/{repo}/${path}`,
    params: { ...repository, per_page: pageSize, ...wanted, ...next },
    repository: name,
    read: (data, headers) => ({ error: null, ...readableItems(schema).parse(data), next: parseNextPage(headers) }),
    fromError: (plain) => ({ error: sourceError(source, plain), items: [], excluded: null, next: null }),
    freshMs: () => 5 * minuteMs,
    staleIfError: true,
  });
}

/** What the link to the next page adds to the question: a cursor, or a page's number where there are no cursors. */
function parseNextPage({ link }: AnswerHeaders): Record<string, string> | null {
  const address = /<([^<>]+)>;\s*rel="next"/.exec(String(link ?? ''))?.[1];
  const query = address === undefined ? null : new URL(address).searchParams;
  const key = ['after', 'page'].find((one) => query?.has(one));
  return key === undefined ? null : { [key]: query?.get(key) ?? '' };
}
