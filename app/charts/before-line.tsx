import type { ValueScale } from './axis.tsx';
import type { LegendEntry } from './legend.tsx';
import { TrendLine } from './trend-parts.tsx';

/** The tone that no part of a bar has. */
const tone = 'three';

interface Props {
  /** One for each bar; null is unknown, and breaks the line. */
  values: readonly (number | null)[];
  scale: ValueScale;
  bottom: number;
}

/** What bars are compared with: a dashed line through the middle of each. A single value is no line. */
export function BeforeLine({ values, scale, bottom }: Props) {
  if (values.filter((value) => value !== null).length < 2) return null;
  return (
    <TrendLine
      points={values.map((value, index) => ({ at: index, instant: index, value }))}
      x={(index) => (index + 0.5) / values.length}
      scale={scale}
      step={undefined}
      tone={tone}
      isDashed
      bottom={bottom}
    />
  );
}

/** What the dashed line stands for. */
export const beforeEntry = (label: string | undefined): LegendEntry[] =>
  label === undefined
    ? []
    : [
        {
          label,
          mark: (
            <path className={`line-${tone}`} d="M0 6H12" stroke="currentColor" strokeWidth="2" strokeDasharray="4 2" />
          ),
        },
      ];
