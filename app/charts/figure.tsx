import type { ReactNode } from 'react';
import { Link } from './link.tsx';
import { ScrollBox } from './scroll-box.tsx';

/** The numbers of a chart as a table: first column names the row. */
export interface DataTableFallback {
  head: readonly string[];
  /** Whether the last column is one of words, not of numbers. */
  endsInWords?: boolean;
  rows: readonly { cells: readonly string[]; href?: string }[];
}

/** What every chart may say about where its numbers come from. */
export interface ChartNotes {
  title: string;
  /** One plain sentence that says what the drawing shows, where the title does not; read aloud in place of the drawing. */
  summary?: string;
  /** `stored, as of …`, `live`. */
  source?: string;
  /** `142 runs`. */
  sample?: string;
  /** The zone that days and hours are cut in; printed. */
  zone?: string;
  note?: ReactNode;
}

interface FrameProps extends ChartNotes {
  className?: string;
  /** Words and shapes that explain the drawing, above it. */
  legend?: ReactNode;
  /** Between the drawing and its table. */
  below?: ReactNode;
  /** Excluded where the chart is a table itself. */
  table?: DataTableFallback;
  children: ReactNode;
}

/** Title, the chart, source line, and the same numbers as a table. The same frame for every chart. */
export function Frame({ className = '', legend, below, table, children, ...notes }: FrameProps) {
  const { title, summary, source, sample, zone, note } = notes;
  const sourceText = [sample, source, zone].filter(Boolean).join(' · ');
  return (
    <figure className={`chart ${className}`.trim()}>
      <figcaption>
        <strong>{title}</strong> {summary ? <span className="muted">{summary}</span> : null}
      </figcaption>
      {legend}
      {children}
      <div className="chart-notes">
        {below}
        {sourceText || note ? (
          <p className="source">
            {sourceText}
            {sourceText && note ? ' · ' : null}
            {note}
          </p>
        ) : null}
        {table ? <Twin title={title} table={table} /> : null}
      </div>
    </figure>
  );
}

/** What stands for the drawing where it is not seen. */
export const nameDrawing = ({ title, summary }: Pick<ChartNotes, 'title' | 'summary'>) =>
  [title, summary].filter(Boolean).join('. ');

interface FigureProps extends FrameProps {
  table: DataTableFallback;
  /** Pixels. */
  height: number;
  /** Pixels, for a drawing that keeps its size and scrolls in its own box; else the width follows the page. */
  width?: number;
}

/** A drawing with a name, in the frame of every chart. */
export function Figure({ height, width, className = '', children, ...frame }: FigureProps) {
  const { title } = frame;
  const drawing = (
    <svg
      role="img"
      className={`plot ${className}`}
      viewBox={width ? `0 0 ${width} ${height}` : undefined}
      width={width ?? '100%'}
      height={height}
    >
      <title>{nameDrawing(frame)}</title>
      {children}
    </svg>
  );
  return (
    <Frame {...frame}>
      {width ? (
        <ScrollBox label={title} isDrawing>
          {drawing}
        </ScrollBox>
      ) : (
        drawing
      )}
    </Frame>
  );
}

function Twin({ title, table: { head, rows, endsInWords } }: { title: string; table: DataTableFallback }) {
  const getClass = (column: number) => (endsInWords && column === head.length - 1 ? 'words' : 'num');
  return (
    <details className="twin">
      <summary>Show as table</summary>
      <div className="scroll">
        <table>
          <caption className="sr">{title}</caption>
          <thead>
            <tr>
              {head.map((label, index) => (
                <th key={label} scope="col" className={index ? getClass(index) : undefined}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ cells: [name, ...cells], href }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two rows may carry the same name; their order is all they have.
              <tr key={index}>
                <th scope="row">{href ? <Link href={href}>{name}</Link> : name}</th>
                {cells.map((cell, column) => (
                  <td key={head[column + 1]} className={getClass(column + 1)}>
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
