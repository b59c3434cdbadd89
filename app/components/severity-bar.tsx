import { CategoryBar, type Color } from '@tremor/react';
import { figures } from '../../server/domain/quantity.ts';
import { Link } from '../charts/link.tsx';

const colors = { critical: 'critical', high: 'fail', medium: 'warning', low: 'void' } as const;

type Counted = keyof typeof colors;

interface SeverityBarProps {
  /** How many alerts there are of each severity. */
  counts: Record<Counted, number>;
  /** Where the alerts of a severity are listed. */
  href(severity: Counted): string;
  /** The severity that is chosen. */
  current?: string | null;
}

/** Alerts by severity, as shares of a bar and as links with their numbers. */
export function SeverityBar({ counts, href, current }: SeverityBarProps) {
  const severities = Object.keys(colors) as Counted[];
  const shown = severities.filter((severity) => counts[severity] > 0);
  return (
    <div className="severities">
      {shown.length > 0 ? (
        <CategoryBar
          aria-hidden="true"
          values={shown.map((severity) => counts[severity])}
          colors={shown.map((severity): string => colors[severity]) as Color[]}
          showLabels={false}
        />
      ) : null}
      <ul aria-label="Open alerts by severity">
        {severities.map((severity) => (
          <li key={severity}>
            <span className={`swatch bg-${colors[severity]}`} aria-hidden="true" />{' '}
            {counts[severity] > 0 ? (
              <Link href={href(severity)} aria-current={current === severity ? 'true' : undefined}>
                {`${figures(counts[severity])} ${severity}`}
              </Link>
            ) : (
              `0 ${severity}`
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
