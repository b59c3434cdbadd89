import { figures } from '../../server/domain/quantity.ts';
import type { DataTableFallback } from './figure.tsx';
import type { LegendEntry } from './legend.tsx';
import { Link } from './link.tsx';
import { across } from './scale.ts';
import { type At, dateTimeText, toInstant } from './zone-time.ts';

/** What can happen beside the values, each with its shape around a middle and its name. */
const kinds = {
  change: { label: 'workflow file changed', path: 'M0-5 5 0 0 5-5 0z' },
  deployment: { label: 'deployed', path: 'M-1.5-4h3v8h-3z' },
  alert: { label: 'alert fired', path: 'M0-4.5a4.5 4.5 0 1 0 .01 0z' },
} as const;

export interface Annotation {
  at: At;
  kind: keyof typeof kinds;
  label: string;
  href?: string;
}

/** More numbers than these would cover each other. */
const maxNumbered = 12;

interface LinesProps {
  marked: readonly Annotation[];
  x: (at: number) => number;
  bottom: number;
  zone: string;
}

/** The shape of each at its time, with its number in the list below; a line where it is no everyday event. */
export function AnnotationLines({ marked, x, bottom, zone }: LinesProps) {
  const numbers = marked.length > maxNumbered ? [] : numberMarks(marked.map(({ at }) => x(toInstant(at))));
  return marked.map(({ at, kind, label }, index) => (
    <svg key={`${at} ${label}`} className={`annotation of-${kind}`} x={across(x(toInstant(at)))} overflow="visible">
      <title>{`${dateTimeText(at, zone)} – ${kinds[kind].label}: ${label}`}</title>
      {kind === 'deployment' ? null : <line x1="0" x2="0" y1="12" y2={bottom} />}
      <path className="happening" d={kinds[kind].path} transform="translate(0 6)" />
      {numbers[index] ? (
        <text x="8" y="10">
          {numbers[index]}
        </text>
      ) : null}
    </svg>
  ));
}

/** `1`, and `2–4` beside the last of those that stand too close for a number each; null beside the others of these. */
function numberMarks(places: readonly number[]): (string | null)[] {
  const isCrowded = (index: number) =>
    (places[index + 1] ?? Number.POSITIVE_INFINITY) - (places[index] ?? 0) < minDistance;
  let first = 0;
  return places.map((_, index) => {
    if (isCrowded(index)) return null;
    const text = first === index ? String(index + 1) : `${first + 1}–${index + 1}`;
    first = index + 1;
    return text;
  });
}

/** Of the width. */
const minDistance = 0.06;

/** What the shapes mean, of those that are there. */
export const annotationKey = (marked: readonly Annotation[]): LegendEntry[] =>
  Object.entries(kinds)
    .filter(([kind]) => marked.some((one) => one.kind === kind))
    .map(([kind, { label, path }]) => ({
      label,
      mark: (
        <g className={`annotation of-${kind}`}>
          <path className="happening" d={path} transform="translate(6 6)" />
        </g>
      ),
    }));

/** The same in words, by time, on demand. */
export function Annotations({ marked, zone }: { marked: readonly Annotation[]; zone: string }) {
  if (marked.length === 0) return null;
  return (
    <details className="twin">
      <summary>{`Marks (${figures(marked.length)})`}</summary>
      <ol className="annotations">
        {marked.map(({ at, kind, label, href }) => (
          <li key={`${at} ${label}`}>
            {href ? <Link href={href}>{label}</Link> : label}{' '}
            <span className="muted">{`${kinds[kind].label}, ${dateTimeText(at, zone)}`}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}

const annotationText = ({ kind, label }: Annotation): string => `${kinds[kind].label}: ${label}`;

interface Row {
  /** When its bucket begins. */
  instant: number;
  cells: readonly string[];
  href?: string;
}

/** The table of a chart with a last column of what happened, in the row of the bucket that it fell into; rows by time. */
export function tableWithMarks(
  head: readonly string[],
  rows: readonly Row[],
  marked: readonly Annotation[],
): DataTableFallback {
  if (marked.length === 0) return { head, rows };
  const rowOf = ({ at }: Annotation) => rows.findLast(({ instant }) => instant <= toInstant(at)) ?? rows[0];
  const byRow = Map.groupBy(marked, rowOf);
  return {
    head: [...head, 'Marked'],
    endsInWords: true,
    rows: rows.map((row) => ({
      cells: [...row.cells, byRow.get(row)?.map(annotationText).join('; ') ?? '–'],
      href: row.href,
    })),
  };
}

/** Those within a time, oldest first. */
export const listMarked = (annotations: readonly Annotation[], from: number, to: number): Annotation[] =>
  annotations
    .filter(({ at }) => toInstant(at) >= from && toInstant(at) <= to)
    .sort((one, other) => toInstant(one.at) - toInstant(other.at));
