import type { ReactNode } from 'react';

/** The numbers of a chart as a table: first column names the row. */
export interface TableTwin {
  head: readonly string[];
  rows: readonly { cells: readonly string[]; href?: string }[];
}

/** What every chart may say about where its numbers come from. */
export interface ChartNotes {
  title: string;
  /** One plain sentence that says what the drawing shows; read aloud in place of the drawing. */
  summary: string;
  /** `stored, as of …`, `live`. */
  source?: string;
  /** `142 runs`. */
  sample?: string;
  /** The zone that days and hours are cut in; printed. */
  zone?: string;
  note?: ReactNode;
}

interface FigureProps extends ChartNotes {
  table: TableTwin;
  /** Pixels; the width follows the page. */
  height: number;
  className?: string;
  /** Words and shapes that explain the drawing, above it. */
  legend?: ReactNode;
  /** Takes the place of the drawing once scripts offer a livelier one. */
  instead?: ReactNode;
  /** Between the drawing and its table. */
  below?: ReactNode;
  children: ReactNode;
}

/** Title, drawing with a name, source line, and the same numbers as a table. The same frame for every chart. */
export function Figure({ table, height, className = '', legend, instead, below, children, ...notes }: FigureProps) {
  const { title, summary, source, sample, zone, note } = notes;
  const said = [sample, source, zone && `times in ${zone}`].filter(Boolean).join(' · ');
  return (
    <figure className="chart">
      <figcaption>
        <strong>{title}</strong> <span className="muted">{summary}</span>
      </figcaption>
      {legend}
      {instead ?? (
        <svg role="img" className={`plot ${className}`} width="100%" height={height}>
          <title>{`${title}. ${summary}`}</title>
          {children}
        </svg>
      )}
      {below}
      {said || note ? (
        <p className="source">
          {said}
          {said && note ? ' · ' : null}
          {note}
        </p>
      ) : null}
      <Twin title={title} table={table} />
    </figure>
  );
}

function Twin({ title, table: { head, rows } }: { title: string; table: TableTwin }) {
  return (
    <details className="twin">
      <summary>Show as table</summary>
      <div className="scroll">
        <table>
          <caption className="sr">{title}</caption>
          <thead>
            <tr>
              {head.map((label, index) => (
                <th key={label} scope="col" className={index ? 'num' : undefined}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ cells: [name, ...cells], href }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two rows may carry the same name; their order is all they have.
              <tr key={index}>
                <th scope="row">{href ? <a href={href}>{name}</a> : name}</th>
                {cells.map((cell, column) => (
                  <td key={head[column + 1]} className="num">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
