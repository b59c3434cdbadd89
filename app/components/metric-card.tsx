import type { ReactNode } from 'react';
import type { Unit } from '../../server/domain/quantity.ts';
import { Spark } from '../charts/spark.tsx';
import {
  beforeText,
  type Change,
  ChangeLabel,
  type Coverage,
  coverageText,
  Headline,
  type Reading,
  sampleText,
} from './measurement.tsx';

export interface MetricCardProps {
  label: string;
  value: Reading;
  /** The tier, only where the sample allows one: `High (2024 edition)`. */
  tier?: string;
  change?: Change;
  /** The same value of the equally long window before, named as `30 days before`. */
  before?: { value: Reading; window: string } | null;
  /** Oldest first; null is a gap. */
  trend?: { values: readonly (number | null)[]; label: string; unit?: Unit; kind?: 'line' | 'bars' };
  coverage?: Coverage;
  /** The counted and left-out items behind the value. */
  evidenceHref?: string;
  /** How the value is computed, in plain sentences. */
  computed?: ReactNode;
  note?: ReactNode;
}

/** One headline number with everything that says how far to trust it. */
export function MetricCard({
  label,
  value,
  tier,
  change,
  before,
  trend,
  coverage,
  evidenceHref,
  computed,
  note,
}: MetricCardProps) {
  const source = [sampleText(value), coverage && coverageText(coverage)].filter(Boolean).join(' · ');
  return (
    <article className="card" aria-label={label}>
      <h3>{evidenceHref ? <a href={evidenceHref}>{label}</a> : label}</h3>
      <Headline value={value} />
      {tier ? <p>{tier}</p> : null}
      {change ? (
        <p>
          <ChangeLabel {...change} />
        </p>
      ) : null}
      {trend ? <Spark unit={value.unit} {...trend} /> : null}
      {source ? <p className="source">{source}</p> : null}
      {note ? <p className="source">{note}</p> : null}
      {before ? <p className="source">{beforeText(before.value, before.window)}</p> : null}
      {computed ? (
        <details>
          <summary>How is this computed</summary>
          <div className="prose">{computed}</div>
        </details>
      ) : null}
    </article>
  );
}

/** Cards side by side, as many as fit. */
export function MetricCards({ children }: { children: ReactNode }) {
  return <div className="cards">{children}</div>;
}
