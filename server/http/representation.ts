import type { Context } from '../access/context.ts';
import { hasPages, type Operation, svgType } from '../api/operation.ts';
import { invalidRequest } from '../platform/problem.ts';
import { formatCsv, splitCsv } from './csv.ts';
import { streamPages } from './csv-stream.ts';
import { tagged, type Written, writeJson } from './written-json.ts';

/** The bytes of a successful response, before compression. */
export interface Representation extends Written {
  contentType: string;
  /** `Content-Disposition`; null for what a browser may show itself. */
  disposition: string | null;
}

const csvType = 'text/csv; charset=utf-8';
const sarifType = 'application/sarif+json';
const patchType = 'text/x-patch';

/**
 * The body in the format that is requested by `format` or `Accept`, where the operation has it; JSON otherwise.
 * @throws Problem `invalid_request` when `csv_guard` is neither `on` nor `off`, or given more than once.
 */
export function represent(operation: Operation, body: unknown, context: Context): Representation {
  if (operation.svg) return { contentType: svgType, disposition: null, ...tagged(operation.svg(body)) };
  const csv = requestsCsv(context) ? formatCsv(operation, body, { guarded: isGuarded(context) }) : null;
  if (csv !== null) return asFile(csv, csvType, attachment(operation, context, 'csv'));
  if (operation.sarif && requests(context, 'sarif', sarifType)) {
    const text = JSON.stringify(operation.sarif(body, context.services.env));
    return asFile(text, sarifType, attachment(operation, context, 'sarif'));
  }
  if (operation.diff && requests(context, 'patch', patchType))
    return asFile(
      operation.diff.text(body),
      `${patchType}; charset=utf-8`,
      attach(operation.diff.fileName(context.url.searchParams), 'patch'),
    );
  return { contentType: 'application/json; charset=utf-8', disposition: null, ...writeJson(body) };
}

const asFile = (text: string, contentType: string, disposition: string): Representation => ({
  contentType,
  disposition,
  ...tagged(text),
});

const requests = ({ url, headers }: Context, format: string, type: string): boolean =>
  url.searchParams.get('format') === format || (headers.get('accept') ?? '').startsWith(type);

/**
 * Whether a table that has pages is requested as one file, from the requested page to the last.
 * @throws Problem `invalid_request` when `csv_pages` is neither `one` nor `all`, or given more than once.
 */
export const requestsAllPages = (operation: Operation, context: Context): boolean =>
  hasPages(operation) && requestsCsv(context) && readChoice(context, 'csv_pages', ['one', 'all']) === 'all';

/** That file, made while it is sent: `readNext` gives the answer after this one, null after the last. */
export function representAllPages(
  operation: Operation,
  first: unknown,
  { context, readNext }: { context: Context; readNext(body: unknown): Promise<unknown> },
) {
  const parts = splitCsv(operation, first, { guarded: isGuarded(context) });
  const disposition = attachment(operation, context, 'csv');
  return { contentType: csvType, disposition, body: streamPages(parts, first, readNext) };
}

const requestsCsv = (context: Context): boolean => requests(context, 'csv', 'text/csv');

const isGuarded = (context: Context): boolean => readChoice(context, 'csv_guard', ['on', 'off']) === 'on';

/** One of two values, the first without any. */
function readChoice({ url }: Context, field: string, allowed: [string, string]): string {
  const [value = allowed[0], ...others] = url.searchParams.getAll(field);
  if (others.length > 0)
    throw invalidRequest([{ field, reason: 'duplicate', message: `${field} is given more than once.` }]);
  if (allowed.includes(value)) return value;
  throw invalidRequest(
    [{ field, reason: 'invalid', message: `${field} is neither ${allowed.join(' nor ')}.` }],
    allowed,
  );
}

/** Names the file by the operation and what it is about: `deployments-octo-web.csv`. */
function attachment({ path }: Operation, { url }: Context, extension: string): string {
  const subjects = ['owner', 'org', 'repo', 'login'].map((key) => url.searchParams.get(key) ?? '');
  const name = [path.split('/').at(-1), ...subjects]
    .map((part) => part?.replace(/[^A-Za-z0-9._-]/g, ''))
    .filter((part) => part)
    .join('-');
  return attach(name, extension);
}

const attach = (name: string, extension: string) => `attachment; filename="${name}.${extension}"`;
