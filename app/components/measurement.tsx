import { Metric } from '@tremor/react';
import { count, counted, figures, quantity, split, type Unit } from '../../server/domain/quantity.ts';
import type { Verdict } from '../../server/domain/verdict.ts';

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
        <Metric className="headline">–</Metric>
        <p>{unknownReason(value)}</p>
      </>
    );
  const { figure, unit } = split(value.value, value.unit);
  // Every second word of a time is a unit.
  const words = unit ? [figure, unit] : figure.split(/\s/);
  return (
    <Metric className="headline">
      {prefix(value)}
      {words.map((word, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the words of a number have only their place.
        index % 2 === 0 ? word : <small key={index}>{`\u00a0${word}${index < words.length - 1 ? ' ' : ''}`}</small>,
      )}
    </Metric>
  );
}

/** `from 42 finished runs`, and between which values the true one lies. */
export const sampleText = (reading: Reading): string =>
  [originText(reading), intervalText(reading)].filter(Boolean).join(' · ');

/** What a value is made of: `from 42 finished runs`, `n = 42` where it is not said of what; empty where it is not known. */
export function originText({ sample, source, quality }: Reading): string {
  const isKnown = sample !== null && sample !== undefined;
  const made = isKnown ? (source ? `from ${counted(sample, source)}` : `n = ${figures(sample)}`) : (source ?? '');
  return [made, quality === 'estimated' ? 'estimated' : ''].filter(Boolean).join(' · ');
}

/** `95 % CI 5 % to 24 %`; empty without an interval. */
export const intervalText = ({ interval, unit }: Reading): string =>
  interval ? `95 % CI ${quantity(interval[0], unit)} to ${quantity(interval[1], unit)}` : '';

/** The same value of an earlier window of this name: `Previous 30 days: 0.9 per day from 27`. */
export function beforeText(reading: Reading, window: string): string {
  const { value, unit, sample } = reading;
  const name = capitalized(window);
  if (value === null) return `${name}: ${unknownReason(reading)}`;
  return `${name}: ${quantity(value, unit)}${sample === null || sample === undefined ? '' : ` from ${figures(sample)}`}`;
}

export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

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
  if (total === null) return `${count(read, one, many)} loaded, more may exist`;
  if (read >= total) return total === 1 ? `the only ${one}` : `all ${count(total, one, many)}`;
  return `${figures(read)} of ${count(total, one, many)}`;
}

/** Whether there is more than was read, or may be. */
export const isPart = ({ read, total }: Coverage): boolean => total === null || read < total;

/** Change in percent of the earlier value; null when either is unknown or there was nothing before. */
export function changeInPercent(current: number | null, earlier: number | null): number | null {
  return current === null || earlier === null || earlier === 0 ? null : ((current - earlier) / Math.abs(earlier)) * 100;
}

export interface Change {
  /** Signed; null when there is nothing to compare with. */
  by: number | null;
  /** `points` for differences between percentages. */
  unit: 'percent' | 'points';
  better: 'higher' | 'lower' | 'neither';
  /** Whether the data show a difference; absent where the value has no interval to judge by. */
  verdict?: Verdict | undefined;
  /** `the previous 30 days`. */
  against: string;
  /** Why there is nothing to compare with. */
  reason?: string;
  /** What changed in it, where that is another window than the value's: `30 days`. */
  window?: string;
}

const prefix = ({ quality }: Reading) => (quality === 'estimated' ? '≈ ' : quality === 'floor' ? 'at least ' : '');

const unknownReason = ({ sample, source, reason }: Reading) =>
  reason ?? (sample === 0 && source ? `no ${source} in this period` : sample === 0 ? 'no data' : 'unknown');
