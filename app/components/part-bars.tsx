import { CategoryBar, type CategoryBarProps } from '@tremor/react';
import type { ReactNode } from 'react';
import { Frame } from '../charts/figure.tsx';
import { Legend, markPlace } from '../charts/legend.tsx';

export interface PartBar {
  key: string;
  name: ReactNode;
  /** The numbers of the bar in words. */
  text: string;
  /** From the left, each from zero; at least one is above it. */
  values: readonly number[];
}

interface Props {
  title: string;
  summary: string;
  /** What the parts are, from the left. One alone needs no legend. */
  parts: readonly string[];
  bars: readonly PartBar[];
}

/** One bar a row, all on one scale, cut into parts of different tone. The text of a row says what its bar shows. */
export function PartBars({ title, summary, parts, bars }: Props) {
  const longest = Math.max(...bars.map(({ values }) => total(values)));
  const tones = parts.length === 1 ? ['one'] : ['two', 'one'];
  const entries = parts.map((label, index) => ({
    label,
    mark: <rect className={`fill-${tones[index]}`} {...markPlace} />,
  }));
  return (
    <Frame title={title} summary={summary} legend={parts.length === 1 ? null : <Legend entries={entries} />}>
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
    </Frame>
  );
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
