import type { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import type { AlertSource } from '../../metrics/security/security-alerts.ts';
import { Problem, type ProblemCode } from '../../platform/problem.ts';
import type { PlainError } from '../client/failures.ts';
import { pageSize } from '../client/listing.ts';
import { organizationParams, repositoryParams } from '../client/names.ts';
import { isUnavailable } from '../client/part-errors.ts';
import { type ReadableItems, readableItems } from '../client/readable-items.ts';
import type { Read, Reader, Reading } from '../client/reader.ts';
import type { AnswerHeaders } from '../client/transport.ts';
import { minuteMs } from '../delivery/context.ts';
import {
  codeScanningAlert,
  dependabotAlert,
  inOrganization,
  type OrganizationWireAlert,
  secretScanningAlert,
  type WireAlert,
} from './wire.ts';

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

/** One page of a list of alerts. */
export interface AlertPage<T> extends ReadableItems<T> {
  /** The platform's error instead; null when it gave the page. */
  error: PlainError | null;
  /** What to add to the question for the page after; null after the last. */
  next: Record<string, string> | null;
}

export interface AlertList<T> {
  pages: Read<AlertPage<T>>[];
  /** Why there is no first page; null when there is one. */
  error: PlainError | Problem | null;
  /** true when there are more pages than were read. */
  truncated: boolean;
}

type PageReading<T> = (next: Record<string, string>) => Reading<AlertPage<T>>;

/** The pages of a repository's alerts of a source. */
export function createRepositoryReading(
  source: AlertSource,
  kind: 'open' | 'ended',
  name: RepositoryName,
): PageReading<WireAlert> {
  const { path, schema, [kind]: wanted } = questions[source];
  const repository = repositoryParams(name);
  return (next) => ({
    operation: `list ${kind} alerts: ${source}`,
    route: `GET /repos/{owner}/{repo}/${path}`,
    params: { ...repository, per_page: pageSize, ...wanted, ...next },
    repository: name,
    ...readPage(schema),
  });
}

/** The pages of the open alerts of a source in all repositories of an organization, the oldest first. */
export function createOrganizationReading(source: AlertSource, org: string): PageReading<OrganizationWireAlert> {
  const { path, schema, open } = questions[source];
  const organization = organizationParams(org);
  return (next) => ({
    operation: `list open alerts of an organization: ${source}`,
    route: `GET /orgs/{org}/${path}`,
    params: { ...organization, per_page: pageSize, ...open, sort: 'created', direction: 'asc', ...next },
    ...readPage(inOrganization(schema)),
  });
}

const readPage = <T>(
  schema: z.ZodType<T>,
): Pick<Reading<AlertPage<T>>, 'read' | 'fromError' | 'freshMs' | 'staleIfError'> => ({
  read: (data, headers) => ({ error: null, ...readableItems(schema).parse(data), next: parseNextPage(headers) }),
  fromError: (error) => ({ error, items: [], excluded: null, next: null }),
  freshMs: () => 5 * minuteMs,
  staleIfError: true,
});

/** What the link to the next page adds to the question: a cursor, or a page's number where there are no cursors. */
function parseNextPage({ link }: AnswerHeaders): Record<string, string> | null {
  const address = /<([^<>]+)>;\s*rel="next"/.exec(String(link ?? ''))?.[1];
  const query = address === undefined ? null : new URL(address).searchParams;
  const key = ['after', 'page'].find((one) => query?.has(one));
  return key === undefined ? null : { [key]: query?.get(key) ?? '' };
}

const maxPages = 10;

/** Page after page, because one source knows no page numbers; what was read before a failure stays. */
export async function readList<T>(
  reader: Reader,
  page: PageReading<T>,
  isEnough: (page: AlertPage<T>) => boolean = () => false,
): Promise<AlertList<T>> {
  const pages: Read<AlertPage<T>>[] = [];
  let next: Record<string, string> | null = {};
  while (next !== null && pages.length < maxPages) {
    const read: Read<AlertPage<T>> | Problem = await reader.read(page(next)).catch(problemOrThrow);
    if (read instanceof Problem) {
      if (pages.length === 0) return { pages: [], error: read, truncated: false };
      if (isUnavailable(read)) return toList(pages, true);
      throw read;
    }
    if (pages.length > 0 && read.value.error) return toList(pages, true);
    pages.push(read);
    next = isEnough(read.value) ? null : read.value.next;
  }
  return toList(pages, next !== null);
}

const toList = <T>(pages: Read<AlertPage<T>>[], truncated: boolean): AlertList<T> => ({
  pages,
  error: pages[0]?.value.error ?? null,
  truncated,
});

/** A reached limit, a rejected token and a missing single sign-on concern every source, so they reject all. */
function problemOrThrow(error: unknown): Problem {
  if (error instanceof Problem && !concernsAll.has(error.code)) return error;
  throw error;
}

const concernsAll: ReadonlySet<ProblemCode> = new Set(['upstream_rate_limited', 'unauthenticated', 'sso_required']);
