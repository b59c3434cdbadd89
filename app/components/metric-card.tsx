import { Badge, Card } from '@tremor/react';
import type { ReactNode } from 'react';
import type { Unit } from '../../server/domain/quantity.ts';
import { ActionLink } from '../charts/link.tsx';
import { Spark } from '../charts/spark.tsx';
import { minCompared } from './comparison.ts';
import { Delta } from './delta.tsx';
import { Icon } from './icon.tsx';
import {
  beforeText,
  type Change,
  type Coverage,
  changeInPercent,
  coverageText,
  Headline,
  intervalText,
  isPart,
  originText,
  type Reading,
} from './measurement.tsx';
import { SharedParamsLink } from './shared-params.tsx';

export interface MetricCardProps {
  /** At most four words. */
  label: string;
  value: Reading;
  /** Under the value, before its change, such as its p90. */
  beside?: ReactNode;
  /** One word, only when the sample allows one: `High`; its edition belongs into the note. */
  tier?: string;
  /** The change, where it is more than the distance to `before`. */
  change?: Change;
  /** The same value of the equally long window before, named as `previous 30 days`. */
  before?: { value: Reading; window: string; verdict?: Change['verdict'] } | null;
  better?: Change['better'];
  /** Oldest first; null is a gap. */
  trend?: { values: readonly (number | null)[]; label: string; unit?: Unit; kind?: 'line' | 'bars' };
  /** What the value is of; shown at once where that is not all. */
  coverage?: Coverage;
  /** The counted and left-out items behind the value. */
  evidenceHref?: string;
  /** How the value is computed, in plain sentences. */
  computed?: ReactNode;
  note?: ReactNode;
}

/** One headline number: label, value, change, spark line and sample; everything else is one click away. */
export function MetricCard(props: MetricCardProps) {
  const { label, value, beside, tier, trend, coverage, evidenceHref, better = 'neither' } = props;
  const change = value.value === null ? undefined : (props.change ?? changeSince(props.before, value, better));
  return (
    <Card className="card p-4" role="article" aria-label={label}>
      <h3>
        {evidenceHref ? <SharedParamsLink href={evidenceHref}>{label}</SharedParamsLink> : label}
        <EvidenceDefinition evidenceHref={evidenceHref} />
      </h3>
      <Headline value={value} />
      {coverage && isPart(coverage) ? <p>{`Covers ${coverageText(coverage)}`}</p> : null}
      {trend ? <Spark unit={value.unit} {...trend} /> : null}
      {beside || (change && change.by !== null) || tier ? (
        <div className="change">
          {beside ? <span className="source">{beside}</span> : null}
          {change && change.by !== null ? <Delta {...change} /> : null}
          {tier ? (
            <Badge size="xs" color="void">
              {tier}
            </Badge>
          ) : null}
        </div>
      ) : null}
      <Details {...props} change={change} />
    </Card>
  );
}

/** The metric whose evidence the card opens. */
function EvidenceDefinition({ evidenceHref = '' }: Pick<MetricCardProps, 'evidenceHref'>) {
  const metric = new URLSearchParams(evidenceHref.split('?')[1]).get('metric');
  return metric === null ? null : <DefinitionLink metric={metric} />;
}

/** The page of a metric in the documentation; `of` names it where several are beside each other. */
export function DefinitionLink({ metric, of }: { metric: string; of?: string }) {
  const label = of === undefined ? 'Definition' : `Definition of ${of}`;
  return (
    <ActionLink className="definition" href={`/docs/metrics/${metric}`} aria-label={label} title={label}>
      <Icon name="info" />
    </ActionLink>
  );
}

/** What the number is made of; how far to trust it and how it is computed is one click away. */
function Details({ value, tier, change, before, coverage, note, computed }: MetricCardProps) {
  const isUncompared = change?.by === null;
  const origin = originText(value);
  const from = isUncompared ? (origin ? `${origin} · no comparison` : 'No comparison') : origin;
  const lines = [
    intervalText(value),
    tier ? 'Tier: DORA 2023 clusters, retired by DORA in 2025' : '',
    coverage && !isPart(coverage) ? coverageText(coverage) : '',
    isUncompared && change.reason ? `No comparison: ${change.reason}` : '',
    change && !isUncompared && !before ? describeChange(change) : '',
  ].filter((line) => line !== '');
  const earlier = before ? beforeText(before.value, before.window) : '';
  const isShort = lines.length === 0 && !computed && !earlier;
  if (isShort && !note) return from ? <p className="source">{from}</p> : null;
  if (isShort && !from) return <p className="source">{note}</p>;
  return (
    <details className="source">
      <summary>{from || 'Details'}</summary>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {note ? <p>{note}</p> : null}
      {earlier ? <p>{earlier}</p> : null}
      {computed ? <div className="prose">{computed}</div> : null}
    </details>
  );
}

const describeChange = ({ against, window }: Change) =>
  window ? `Change: last ${window} compared with ${against}` : `Compared with ${against}`;

function changeSince(before: MetricCardProps['before'], value: Reading, better: Change['better']): Change | undefined {
  if (!before || value.value === null) return undefined;
  const isRate = value.unit === 'percent';
  const by = isRate
    ? before.value.value === null
      ? null
      : value.value - before.value.value
    : changeInPercent(value.value, before.value.value);
  const samples = [value.sample, before.value.sample].filter((sample) => typeof sample === 'number');
  const isFew = samples.some((sample) => sample < minCompared);
  return {
    by: isFew ? null : by,
    unit: isRate ? 'points' : 'percent',
    better,
    verdict: before.verdict,
    against: `the ${before.window}`,
    reason: isFew ? `fewer than ${minCompared}` : undefined,
  };
}

/** Cards side by side, as many as fit. */
export function MetricCards({ children }: { children: ReactNode }) {
  return <div className="cards">{children}</div>;
}
