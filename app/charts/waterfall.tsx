import { useId } from 'react';
import { axisUnit, duration, figures } from '../../server/domain/quantity.ts';
import { integerFactors } from './axis.tsx';
import { type ChartNotes, type DataTableFallback, Figure } from './figure.tsx';
import { Hatches, paint } from './hatch.tsx';
import { across, linear, px, roundTicks } from './scale.ts';
import { type At, timeText, toInstant } from './zone-time.ts';

export interface WaterfallRow {
  name: string;
  outcome: 'pass' | 'fail' | 'warning' | 'running' | 'void';
  /** How it ended or stands, in a word: `failed`, `skipped`, `waiting`. */
  word: string;
  queuedAt: At | null;
  startedAt: At | null;
  completedAt: At | null;
  href?: string;
  /** Drawn indented under the row. */
  steps?: readonly WaterfallRow[];
}

export interface WaterfallProps extends ChartNotes {
  rows: readonly WaterfallRow[];
  zone: string;
  /** Ends the bars of what still runs. */
  now: At;
}

/** Jobs and steps over the time of a run: grey while waiting, then the outcome in colour, stripe and word. */
export function Waterfall({ rows, zone, now, ...notes }: WaterfallProps) {
  const id = useId();
  const lines = rows.flatMap((row) => [line(row, now, 0), ...(row.steps ?? []).map((step) => line(step, now, 1))]);
  const times = lines.flatMap(({ from, start, end }) => [from, start, end]).filter((at) => at !== null);
  const first = times.length ? Math.min(...times) : 0;
  const last = times.length ? Math.max(...times) : 1;
  const height = 24 + lines.length * rowHeight;
  const x = linear([first, Math.max(last, first + 1000)], [0, 1]);
  return (
    <Figure {...notes} zone={zone} height={height} className="waterfall" table={tableFallback(lines, zone)}>
      <Hatches id={id} />
      <Elapsed span={Math.max(last - first, 1000)} height={height} />
      {lines.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps of different jobs share names; their order is all they have.
        <Line key={index} row={row} x={x} y={24 + index * rowHeight} id={id} />
      ))}
    </Figure>
  );
}

const rowHeight = 32;

interface PlacedLine extends WaterfallRow {
  depth: number;
  from: number | null;
  start: number | null;
  end: number | null;
}

function line(row: WaterfallRow, now: At, depth: number): PlacedLine {
  const start = row.startedAt === null ? null : toInstant(row.startedAt);
  const waiting = row.outcome === 'running' && start === null;
  const from = row.queuedAt === null ? null : toInstant(row.queuedAt);
  const done = row.completedAt === null ? null : toInstant(row.completedAt);
  const end = done ?? (row.outcome === 'running' ? toInstant(now) : null);
  // A job that was skipped carries the times of the decision: no time was spent on it.
  if (row.outcome === 'void' && (start === null || end === null || end <= start))
    return { ...row, depth, from: null, start: null, end: null };
  return { ...row, depth, from, start: waiting ? end : start, end };
}

const waited = ({ from, start }: PlacedLine) => (from === null || start === null ? null : Math.max(0, start - from));
const ran = ({ startedAt, start, end }: PlacedLine) =>
  startedAt === null || start === null || end === null ? null : Math.max(0, end - start);

function spoken(row: PlacedLine): string {
  const wait = waited(row);
  const run = ran(row);
  const parts = [
    wait !== null && wait >= 1000 ? `waited ${duration(wait)}` : null,
    run !== null ? `ran ${duration(run)}` : null,
  ];
  return [row.word, ...parts].filter(Boolean).join(', ');
}

function tableFallback(lines: PlacedLine[], zone: string): DataTableFallback {
  const formatKnown = (value: number | null, say: (value: number) => string) => (value === null ? '–' : say(value));
  return {
    head: ['Part', 'Outcome', 'Started', 'Waited', 'Ran'],
    rows: lines.map((row) => ({
      href: row.href,
      cells: [
        row.depth ? `· ${row.name}` : row.name,
        row.word,
        formatKnown(row.startedAt === null ? null : row.start, (at) => timeText(at, zone)),
        formatKnown(waited(row), duration),
        formatKnown(ran(row), duration),
      ],
    })),
  };
}

function Elapsed({ span, height }: { span: number; height: number }) {
  const { word, size } = axisUnit(span, 'milliseconds');
  const ticks = roundTicks(span / size, 4, integerFactors).filter((tick) => tick * size <= span);
  return (
    <g className="axis">
      {ticks.map((tick) => {
        const share = (tick * size) / span;
        return (
          <g key={tick}>
            <line x1={across(share)} x2={across(share)} y1="16" y2={height} />
            <text x={across(share)} y="11" textAnchor={tick === 0 ? 'start' : share > 0.94 ? 'end' : 'middle'}>
              {`${figures(tick, 2)}\u00a0${word}`}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function Line({ row, x, y, id }: { row: PlacedLine; x: (at: number) => number; y: number; id: string }) {
  const { from, start, end } = row;
  const bar = (left: number, right: number) => ({
    x: across(x(left)),
    width: across(Math.max(x(right) - x(left), 0.003)),
    y: px(y + 19),
  });
  return (
    <g>
      <foreignObject x={row.depth ? 16 : 0} y={y} width="100%" height="18">
        <div className={row.depth ? 'row-label indented' : 'row-label'} title={`${row.name}: ${spoken(row)}`}>
          {row.depth ? <span>{row.name}</span> : <strong>{row.name}</strong>}
          <span className="muted">{spoken(row)}</span>
        </div>
      </foreignObject>
      {from !== null && start !== null && start > from ? (
        <rect className="wait" {...bar(from, start)} height="8">
          <title>{`${row.name}: waited ${duration(start - from)}`}</title>
        </rect>
      ) : null}
      {start !== null && end !== null && row.startedAt !== null ? (
        <rect {...bar(start, end)} height="8" {...paint(row.outcome, id)}>
          <title>{`${row.name}: ${spoken(row)}`}</title>
        </rect>
      ) : null}
    </g>
  );
}
