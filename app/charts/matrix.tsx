import { quantity } from '../../server/domain/quantity.ts';
import { type ChartNotes, Frame, nameDrawing } from './figure.tsx';
import { Link } from './link.tsx';
import { ScrollBox } from './scroll-box.tsx';
import { shading } from './shade.tsx';

export interface MatrixCell {
  row: string;
  column: string;
  /** null is unknown. */
  count: number | null;
}

export interface MatrixProps extends ChartNotes {
  /** Who stands in a row and in a column, such as `Author` and `Reviewer`. */
  rowLabel: string;
  columnLabel: string;
  /** Names in the order they are shown in. */
  rows: readonly string[];
  columns: readonly string[];
  /** A pair that is missing was counted zero times. */
  cells: readonly MatrixCell[];
  /** Why the cells of a name with itself are empty, such as `Nobody reviews their own work here`. */
  selfReason: string;
  /** Where a name leads; nowhere for those without a page. */
  getHref?(name: string): string | undefined;
}

/** Who with whom, as a table with shaded cells and totals. The table is the chart. A total with an unknown part is unknown. */
export function Matrix(props: MatrixProps) {
  const { rowLabel, columnLabel, rows, columns, cells, selfReason, getHref, ...notes } = props;
  const counts = new Map(cells.map(({ row, column, count }) => [key(row, column), count]));
  const at = (row: string, column: string) => counts.get(key(row, column)) ?? (counts.has(key(row, column)) ? null : 0);
  const shades = shading([...counts.values()]);
  const named = (name: string) => (getHref?.(name) ? <Link href={getHref(name)}>{name}</Link> : name);
  const totals = columns.map((column) => sum(rows.map((row) => at(row, column))));
  if (rows.length === 0 || columns.length === 0)
    return (
      <Frame {...notes}>
        <p className="muted">No data in this period</p>
      </Frame>
    );
  return (
    <Frame {...notes} className="matrix">
      <ScrollBox label={notes.title} isDrawing>
        <table>
          <caption className="sr">{nameDrawing(notes)}</caption>
          <thead>
            <tr>
              <th scope="col">{`${rowLabel} / ${columnLabel}`}</th>
              {columns.map((name) => (
                <th key={name} scope="col" className="turned" title={name}>
                  <span>{named(name)}</span>
                </th>
              ))}
              <th scope="col" className="num">
                Total
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row}>
                <th scope="row" title={row}>
                  {named(row)}
                </th>
                {columns.map((column) =>
                  row === column && !counts.has(key(row, column)) ? (
                    <td key={column} className="self" title={selfReason}>
                      <span className="sr">{selfReason}</span>
                    </td>
                  ) : (
                    <Cell key={column} count={at(row, column)} step={shades.step(at(row, column))} />
                  ),
                )}
                <td className="num">{quantity(sum(columns.map((column) => at(row, column))), 'count')}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              {columns.map((column, index) => (
                <td key={column} className="num">
                  {quantity(totals[index] ?? null, 'count')}
                </td>
              ))}
              <td className="num">{quantity(sum(totals), 'count')}</td>
            </tr>
          </tfoot>
        </table>
      </ScrollBox>
    </Frame>
  );
}

const Cell = ({ count, step }: { count: number | null; step: number | null }) => (
  <td className={step ? `num step-${step}` : 'num muted'} title={count === null ? 'unknown' : undefined}>
    {quantity(count, 'count')}
  </td>
);

const key = (row: string, column: string) => JSON.stringify([row, column]);

const sum = (counts: readonly (number | null)[]): number | null =>
  counts.reduce((total, count) => (total === null || count === null ? null : total + count), 0);
