import type { ReactNode } from 'react';
import { count, counted, figures, quantity, split, type Unit } from '../../server/domain/quantity.ts';

/** A value as the metrics give it, with what the page knows beside it. Numbers are in `unit`. */
export interface Reading {
  value: number | null;
  unit: Unit;
  /** How many facts stand behind the value. */
  sample?: number | null;
  /** What the facts are: `runs`, or the metric's own `finished production deployments`. */
  source?: string | null;
  /** Why there is no value; shown with the dash. */
  reason?: string;
  /** Whether the value stands for another one, or only for a part. */
  quality?: 'measured' | 'estimated' | 'floor';
  /** Ends of the 95 % interval. */
  interval?: readonly [number, number] | null;
}

/** A value in running text or a table cell. Unknown is a dash with its reason, never a zero. */
export function Measurement({ value, showSample = false }: { value: Reading; showSample?: boolean }) {
  if (value.value === null) return <Unknown reason={unknownReason(value)} />;
  return (
    <span className="figure">
      {prefix(value)}
      {quantity(value.value, value.unit)}
      {showSample ? <span className="muted"> {sampleText(value)}</span> : null}
    </span>
  );
}

/** The dash that stands for an unknown value. The reason is read aloud and shown on pointing. */
export function Unknown({ reason }: { reason: string }) {
  return (
    <span className="muted" title={reason}>
      –<span className="sr"> {reason}</span>
    </span>
  );
}

/** The value large, its unit small; under a dash the reason. */
export function Headline({ value }: { value: Reading }) {
  if (value.value === null)
    return (
      <>
        <p className="headline">–</p>
        <p>{unknownReason(value)}</p>
      </>
    );
  const { figure, unit } = split(value.value, value.unit);
  return (
    <p className="headline">
      {prefix(value)}
      {figure}
      {unit ? <small> {unit}</small> : null}
    </p>
  );
}

/** `from 42 finished runs`, and between which values the true one lies. */
export function sampleText({ sample, source, interval, unit, quality }: Reading): string {
  const parts: string[] = [];
  if (sample !== null && sample !== undefined)
    parts.push(source ? `from ${counted(sample, source)}` : `n = ${figures(sample)}`);
  else if (source) parts.push(source);
  if (interval) parts.push(`95 % between ${quantity(interval[0], unit)} and ${quantity(interval[1], unit)}`);
  if (quality === 'estimated') parts.push('estimated');
  return parts.join(' · ');
}

/** The same value of an earlier window of this name: `30 days before: 0.9 per day from 27`. */
export function beforeText(reading: Reading, window: string): string {
  const { value, unit, sample } = reading;
  if (value === null) return `${window}: ${unknownReason(reading)}`;
  return `${window}: ${quantity(value, unit)}${sample === null || sample === undefined ? '' : ` from ${figures(sample)}`}`;
}

export interface Coverage {
  read: number;
  /** null: how many there are is not known. */
  total: number | null;
  /** One of them, `run`; more of them when not with an s. */
  one: string;
  many?: string;
}

/** `all 1,200 runs read`, `800 of 1,200 runs read`, `800 runs read, more exist`. */
export function coverageText({ read, total, one, many }: Coverage): string {
  if (total === null) return `${count(read, one, many)} read, more may exist`;
  if (read >= total) return `all ${count(total, one, many)} read`;
  return `${figures(read)} of ${count(total, one, many)} read`;
}

/** Change in percent of the earlier value; null when either is unknown or there was nothing before. */
export function changeInPercent(current: number | null, earlier: number | null): number | null {
  return current === null || earlier === null || earlier === 0 ? null : ((current - earlier) / Math.abs(earlier)) * 100;
}

export interface Change {
  /** Signed; null when there is nothing to compare with. */
  by: number | null;
  /** `points` for differences between percentages. */
  unit: 'percent' | 'points';
  /** Words for up and down: slower/faster, more/fewer, higher/lower. */
  label: 'speed' | 'amount' | 'level';
  better: 'higher' | 'lower' | 'neither';
  /** `the 30 days before`. */
  against: string;
}

/** The change in words and sign: `▲ 12 % slower than the 30 days before`. Colour only repeats the words. */
export function ChangeLabel({ by, unit, label, better, against }: Change): ReactNode {
  if (by === null) return <span className="muted">no comparison with {against}</span>;
  if (Math.abs(by) < 0.5) return <span className="muted">about the same as {against}</span>;
  const up = by > 0;
  const tone = better === 'neither' ? 'muted' : (better === 'higher') === up ? 'text-pass' : 'text-fail';
  const size = `${figures(Math.abs(by), Math.abs(by) < 10 ? 1 : 0)}\u00a0${unit === 'percent' ? '%' : 'points'}`;
  return (
    <span className={tone}>
      <span aria-hidden="true">{up ? '▲' : '▼'}</span> {size} {vocabulary[label][up ? 0 : 1]} than {against}
    </span>
  );
}

const vocabulary = { speed: ['slower', 'faster'], amount: ['more', 'fewer'], level: ['higher', 'lower'] } as const;

const prefix = ({ quality }: Reading) => (quality === 'estimated' ? '≈ ' : quality === 'floor' ? 'at least ' : '');

const unknownReason = ({ sample, source, reason }: Reading) =>
  reason ??
  (sample === 0 && source ? `no ${source} in this window` : sample === 0 ? 'nothing to measure' : 'not known');
