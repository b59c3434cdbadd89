import { CategoryBar, type CategoryBarProps } from '@tremor/react';
import { figures } from '../../server/domain/quantity.ts';
import { Link } from '../charts/link.tsx';

export interface BarState {
  key: string;
  label: string;
  count: number;
  tone: 'one' | 'two' | 'three' | 'four' | 'void';
}

interface Props {
  /** Names the drawing. */
  label: string;
  states: readonly BarState[];
  /** Where the items of a state are listed. */
  getHref(key: string): string;
  /** Whether there may be more than counted. */
  isMinimum: boolean;
  /** A further count that is not drawn, such as `Bots 3`. */
  aside?: string | null;
}

/** One bar cut by how many are in each state; the states above it with their counts, each a link to its items. */
export function StateBar({ label, states, getHref, isMinimum, aside }: Props) {
  const drawn = states.filter(({ count }) => count > 0);
  return (
    <figure className="chart" aria-label={label}>
      <ul className="legend">
        {states.map(({ key, label: name, count, tone }) => (
          <li key={key}>
            <svg className="swatch" width="12" height="12" aria-hidden="true">
              <rect className={`fill-${tone}`} width="12" height="12" rx="2" />
            </svg>{' '}
            <Link href={getHref(key)}>{name}</Link>{' '}
            <strong>{`${isMinimum && count > 0 ? 'at least ' : ''}${figures(count)}`}</strong>
          </li>
        ))}
        {aside ? <li>{aside}</li> : null}
      </ul>
      <div aria-hidden="true">
        {drawn.length > 0 ? (
          <CategoryBar
            values={drawn.map(({ count }) => count)}
            // Tones of ours, which Tremor does not know by name.
            colors={drawn.map(({ tone }) => tone) as unknown as CategoryBarProps['colors']}
            showLabels={false}
          />
        ) : (
          <div className="h-2 rounded-full bg-sunken" />
        )}
      </div>
    </figure>
  );
}
