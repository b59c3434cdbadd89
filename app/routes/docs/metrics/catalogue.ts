import type { Context, Services } from '../../../../server/access/context.ts';
import { computeExample } from '../../../../server/api/metric-example.ts';
import { type AlertUse, alertUses, describeHighlights } from '../../../../server/api/metric-list.ts';
import type { Unit } from '../../../../server/domain/quantity.ts';
import { demoContext } from '../../../../server/http/context.ts';
import { explainHref } from '../../links.ts';
import { alertFamilies } from './alert-families.ts';
import { families } from './families.ts';
import type { Family } from './family.ts';

const shownItems = 20;

/** A metric with its definition, and how to read it. */
export interface DocumentedMetric {
  key: string;
  label: string;
  definition: string;
  unit: Unit;
  /** How a value is judged; null where it is not. */
  levels: string | null;
  /** From which values on it is highlighted on the page of a workflow. */
  highlights: string | null;
  /** As rules watch it; null where none can. */
  alert: AlertUse | null;
  family: Family;
  /** What shows of it on pages; null where only rules watch it. */
  evidence: MetricEvidence | null;
}

/** What a metric comes to over a small part of the sample organization, and what it is made of. */
export interface MetricEvidence {
  better: 'higher' | 'lower' | 'neither';
  /** What is counted. */
  counts: string;
  /** When there is no value; null where there always is one. */
  noValue: string | null;
  example: Example;
}

export interface Example {
  /** The repository, person or organization. */
  scope: string;
  /** The same number in the demo. */
  href: string;
  value: number | null;
  sample: number;
  /** Of the sample, how many a percentage is made of. */
  part: number | null;
  /** As instants in text; null where the sample has no window of time. */
  window: { from: string; to: string } | null;
  /** The newest of the counted items. */
  items: { label: string; note: string | null; at: string | null; value: number | null }[];
  /** By reason. */
  excluded: { reason: string; count: number }[];
}

type Catalogue = ReadonlyMap<string, DocumentedMetric>;
const read = new WeakMap<Services, { day: number; catalogue: Promise<Catalogue> }>();

/** Every metric by its key; examples are computed once a day over the sample organization. */
export function readCatalogue(context: Context): Promise<Catalogue> {
  const { services } = context;
  const day = Math.floor(services.clock.now() / 86_400_000);
  const known = read.get(services);
  if (known?.day === day) return known.catalogue;
  const catalogue = compute(demoContext(context));
  read.set(services, { day, catalogue });
  catalogue.catch(() => read.delete(services));
  return catalogue;
}

async function compute(context: Context): Promise<Catalogue> {
  const catalogue = new Map<string, DocumentedMetric>();
  for (const family of families)
    for (const key of family.keys) catalogue.set(key, await documentMetric(key, family, context));
  return catalogue;
}

async function documentMetric(key: string, family: Family, context: Context): Promise<DocumentedMetric> {
  const alert = alertUses.get(key) ?? null;
  if (alert !== null && alertFamilies.includes(family)) {
    const { label, definition, unit } = alert;
    return { key, label, definition, unit, levels: null, highlights: null, alert, family, evidence: null };
  }
  const { answer, input } = await computeExample(key, context);
  const { label, definition, levels, better, source, no_value: noValue } = answer;
  const unit = answer.unit as Unit;
  return {
    key,
    // Without the name of the job.
    label: input.job === undefined ? label : label.replace(`: ${input.job}`, ''),
    definition: definition ?? source,
    unit,
    levels,
    highlights: describeHighlights(key, unit),
    alert,
    family,
    evidence: { better, counts: source, noValue, example: toExample(key, answer, input) },
  };
}

type Computed = Awaited<ReturnType<typeof computeExample>>;

function toExample(metric: string, answer: Computed['answer'], input: Computed['input']): Example {
  const { value, sample, part, window, counted, left_out } = answer;
  const { owner, repo, org, login, workflow_id, job, id, days } = input;
  return {
    scope: [owner ?? org ?? 'all repositories', repo ?? login].filter(Boolean).join('/'),
    href: explainHref('/demo', { metric, owner, repo, org, login, workflow_id, job, id, days }),
    value,
    sample,
    part,
    window,
    items: counted.slice(0, shownItems).map(({ label, note, at, value: adds }) => ({ label, note, at, value: adds })),
    excluded: left_out.map(({ reason, count }) => ({ reason, count })),
  };
}
