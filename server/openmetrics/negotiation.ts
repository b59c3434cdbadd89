import type { ExpositionFormat } from '../platform/exposition.ts';

/** One range of an `Accept` header. */
interface Range {
  type: string;
  version: string | null;
  quality: number;
}

/**
 * The format that a scraper likes best: OpenMetrics only where it is named with version 1.0.0 or none and is liked no
 * less than plain text, which is the answer to everything else.
 */
export function negotiateFormat(accept: string | null): ExpositionFormat {
  const ranges = (accept ?? '').split(',').map(readRange);
  const openmetrics = ranges.filter(({ type }) => type === 'application/openmetrics-text').filter(hasVersion('1.0.0'));
  const liked = Math.max(0, ...openmetrics.map(({ quality }) => quality));
  return liked > 0 && liked >= textQuality(ranges) ? 'openmetrics' : 'text';
}

/** The most specific range that plain text falls under counts (RFC 9110 §12.5.1). */
function textQuality(ranges: readonly Range[]): number {
  const plain = ranges.filter(({ type }) => type === 'text/plain').filter(hasVersion('0.0.4'));
  const [exact] = [plain, ...['text/*', '*/*'].map((wanted) => ranges.filter(({ type }) => type === wanted))].filter(
    (found) => found.length > 0,
  );
  return Math.max(0, ...(exact ?? []).map(({ quality }) => quality));
}

const hasVersion =
  (wanted: string) =>
  ({ version }: Range) =>
    version === null || version === wanted;

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const given = new Map(parameters.map((parameter) => parameter.split('=', 2) as [string, string | undefined]));
  const quality = Number(given.get('q') ?? 1);
  const version = given.get('version')?.replaceAll('"', '') ?? null;
  return { type, version, quality: Number.isNaN(quality) ? 0 : quality };
}
