import type { Context } from '../access/context.ts';
import { type Operation, svgType } from '../api/operation.ts';
import { invalidRequest } from '../platform/problem.ts';
import { formatCsv } from './csv.ts';
import { tagged, type Written, writeJson } from './written-json.ts';

/** The bytes of a successful response, before compression. */
export interface Representation extends Written {
  contentType: string;
  /** `Content-Disposition`; null for what a browser may show itself. */
  disposition: string | null;
}

const sarifType = 'application/sarif+json';
const patchType = 'text/x-patch';

/**
 * The body in the format that is requested by `format` or `Accept`, where the operation has it; JSON otherwise.
 * @throws Problem `invalid_request` when `csv_guard` is neither `on` nor `off`, or given more than once.
 */
export function represent(operation: Operation, body: unknown, context: Context): Representation {
  if (operation.svg) return { contentType: svgType, disposition: null, ...tagged(operation.svg(body)) };
  const csv = requests(context, 'csv', 'text/csv') ? formatCsv(operation, body, { guarded: isGuarded(context) }) : null;
  if (csv !== null) return asFile(csv, 'text/csv; charset=utf-8', attachment(operation, context, 'csv'));
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

function isGuarded({ url }: Context): boolean {
  const [value = 'on', ...others] = url.searchParams.getAll('csv_guard');
  if (others.length > 0)
    throw invalidRequest([{ field: 'csv_guard', reason: 'duplicate', message: 'csv_guard is given more than once.' }]);
  if (value === 'on' || value === 'off') return value === 'on';
  throw invalidRequest(
    [{ field: 'csv_guard', reason: 'invalid', message: 'csv_guard is neither on nor off.' }],
    ['on', 'off'],
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
