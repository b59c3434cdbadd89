import { figures } from '../../server/domain/quantity.ts';
import { Legend } from './legend.tsx';
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
  return marked.map(({ at, kind, label }, index) => (
    <svg key={`${at} ${label}`} className={`annotation of-${kind}`} x={across(x(toInstant(at)))} overflow="visible">
      <title>{`${dateTimeText(at, zone)} – ${kinds[kind].label}: ${label}`}</title>
      {kind === 'deployment' ? null : <line x1="0" x2="0" y1="12" y2={bottom} />}
      <path className="happening" d={kinds[kind].path} transform="translate(0 6)" />
      {marked.length > maxNumbered ? null : (
        <text x="8" y="10">
          {index + 1}
        </text>
      )}
    </svg>
  ));
}

/** What the shapes mean, of those that are there. */
export function AnnotationKey({ marked }: { marked: readonly Annotation[] }) {
  const shown = Object.entries(kinds).filter(([kind]) => marked.some((one) => one.kind === kind));
  return (
    <Legend
      entries={shown.map(([kind, { label, path }]) => ({
        label,
        mark: (
          <g className={`annotation of-${kind}`}>
            <path className="happening" d={path} transform="translate(6 6)" />
          </g>
        ),
      }))}
    />
  );
}

/** The same in words, by time, on demand. */
export function Annotations({ marked, zone }: { marked: readonly Annotation[]; zone: string }) {
  if (marked.length === 0) return null;
  return (
    <details className="twin">
      <summary>{`Marked in the chart: ${figures(marked.length)}`}</summary>
      <ol className="annotations">
        {marked.map(({ at, kind, label, href }) => (
          <li key={`${at} ${label}`}>
            {href ? <a href={href}>{label}</a> : label}{' '}
            <span className="muted">{`${kinds[kind].label}, ${dateTimeText(at, zone)}`}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}

/** How the table says what happened at a time. */
export const annotationText = ({ kind, label }: Annotation): string => `${kinds[kind].label}: ${label}`;
