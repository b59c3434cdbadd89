import { CategoryBar, type CategoryBarProps } from '@tremor/react';
import type { ReactNode } from 'react';
import { figures } from '../../server/domain/quantity.ts';
import { Legend, markPlace } from '../charts/legend.tsx';

export interface PartBar {
  key: string;
  name: ReactNode;
  /** The numbers of the bar in words. */
  text: ReactNode;
  /** From the left, each from zero; at least one is above it. */
  values: readonly number[];
}

export interface BarPart {
  label: string;
  tone: 'one' | 'two';
}

interface Props {
  /** Names the drawing. */
  label: string;
  /** What the parts are, from the left. One alone needs no legend. */
  parts: readonly BarPart[];
  bars: readonly PartBar[];
}

/** One bar a row, all on one scale, cut into parts of different tone. The text of a row says what its bar shows. */
export function PartBars({ label, parts, bars }: Props) {
  const longest = Math.max(...bars.map(({ values }) => total(values)));
  const tones: string[] = parts.map(({ tone }) => tone);
  const entries = parts.map(({ label: name, tone }) => ({
    label: name,
    mark: <rect className={`fill-${tone}`} {...markPlace} />,
  }));
  return (
    <figure className="chart" aria-label={label}>
      {parts.length === 1 ? null : <Legend entries={entries} />}
      <ul className="grid gap-2">
        {bars.map(({ key, name, text, values }) => (
          <li key={key}>
            <div className="flex flex-wrap justify-between gap-x-4">
              <span>{name}</span>
              <span>{text}</span>
            </div>
            <div aria-hidden="true" style={{ width: `${Math.max(1, (100 * total(values)) / longest).toFixed(1)}%` }}>
              <CategoryBar values={[...values]} colors={tones as CategoryBarProps['colors']} showLabels={false} />
            </div>
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** How many of those that have something to draw are drawn; empty where all are. */
export function describeDrawn({ drawn, known, unread }: { drawn: number; known: number; unread: number }): string {
  const all = known + unread;
  if (drawn === all) return '';
  const shown = `${drawn < known ? 'Top ' : ''}${figures(drawn)} of ${figures(all)}`;
  return unread === 0 ? shown : `${shown}, ${figures(unread)} not fully read`;
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
