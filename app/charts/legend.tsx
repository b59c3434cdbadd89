import type { ReactNode } from 'react';

export interface LegendEntry {
  label: string;
  /** What stands for it in the drawing, within 12 by 12 pixels. */
  mark?: ReactNode;
}

/** The marks of a drawing beside their names. Hidden from readers aloud: the table has the same words. */
export function Legend({ entries }: { entries: readonly LegendEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <ul className="legend" aria-hidden="true">
      {entries.map(({ label, mark }) => (
        <li key={label}>
          {mark ? (
            <svg className="swatch" width="12" height="12" aria-hidden="true">
              {mark}
            </svg>
          ) : null}{' '}
          {label}
        </li>
      ))}
    </ul>
  );
}

/** The place of a filled mark in a legend. */
export const markPlace = { x: 0.5, y: 0.5, width: 11, height: 11 };
