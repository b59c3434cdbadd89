import type { Context, Services } from '../../../../server/access/context.ts';
import { computeExample } from '../../../../server/api/metric-example.ts';
import type { Unit } from '../../../../server/domain/quantity.ts';
import { demoContext } from '../../../../server/http/context.ts';
import { explainHref } from '../../links.ts';
import { families } from './families.ts';
import type { Family } from './family.ts';

const shownItems = 20;

/** A metric with its definition, and what it comes to over a small part of the sample organization. */
export interface DocumentedMetric {
  key: string;
  label: string;
  /** null where the counted facts say it all. */
  definition: string | null;
  unit: Unit;
  better: 'higher' | 'lower' | 'neither';
  /** What is counted. */
  counts: string;
  family: Family;
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

/** Every explained metric by its key, computed once a day over the sample organization. */
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
  const { answer, input } = await computeExample(key, context);
  const { label, definition, unit, better, source, value, sample, part, window, counted, left_out } = answer;
  const { owner, repo, org, login, workflow_id, job, days } = input;
  return {
    key,
    // Without the name of the job.
    label: job === undefined ? label : label.replace(`: ${job}`, ''),
    definition,
    unit: unit as Unit,
    better,
    counts: source,
    family,
    example: {
      scope: [owner ?? org ?? 'all repositories', repo ?? login].filter(Boolean).join('/'),
      href: explainHref('/demo', { metric: key, owner, repo, org, login, workflow_id, job, days }),
      value,
      sample,
      part,
      window,
      items: counted
        .slice(0, shownItems)
        .map(({ label: item, note, at, value: adds }) => ({ label: item, note, at, value: adds })),
      excluded: left_out.map(({ reason, count }) => ({ reason, count })),
    },
  };
}
