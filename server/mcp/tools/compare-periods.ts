import { z } from 'zod';
import { owner, repo } from '../../api/parameters.ts';
import { comparedMetrics } from '../../reports/comparison/metrics.ts';
import { getComparison } from '../../reports/comparison/operations.ts';
import { bounds, type Measurement, measure, type Shared } from '../measurement.ts';
import type { Part } from '../reader.ts';
import { sharedOf } from '../shared.ts';
import { type Params, tool } from '../tool.ts';

const { days, a_from, a_to, b_from, b_to } = getComparison.input.shape;

const input = z.object({
  owner,
  repo: repo.optional(),
  metrics: z.array(z.enum(comparedMetrics)).min(1).max(5),
  days,
  a_from,
  a_to,
  b_from,
  b_to,
});

type Report = z.output<typeof getComparison.output>;

export const comparePeriods = tool({
  name: 'compare_periods',
  title: 'Two periods',
  question: 'Is lead time really shorter than a month ago, or is that noise?',
  description:
    'Two periods side by side from stored facts, a before b: each value, the difference with its interval, and a verdict. Report a difference only where the verdict is higher or lower. `days` up to now, or four dates.',
  input,
  operations: [getComparison],
  questions: (given) => [{ operation: getComparison, params: paramsOf(given) }],
  async run(given, reader) {
    const part = await reader.read(getComparison, paramsOf(given));
    const { owner, repo } = given;
    const page = `/reports?owner=${owner}${repo === undefined ? '' : `&repo=${repo}`}`;
    const shared = sharedOf(reader, {}, page);
    return {
      subject: repo === undefined ? { owner } : { owner, repo },
      parts: [part],
      measurements: part.answer.metrics.flatMap((_, index) => [
        measureSide(part, index, 'a', shared),
        measureSide(part, index, 'b', shared),
        measureDifference(part, index, shared),
      ]),
      items: part.answer.metrics.map(({ metric, label, better, difference, verdict }) => ({
        key: metric,
        value: { metric, label, better, verdict, relative_pct: difference.relative_pct },
      })),
      page,
    };
  },
});

function paramsOf({ metrics, ...rest }: z.output<typeof input>): Params {
  return { ...rest, metrics: metrics.join(',') };
}

const reasons = { not_stored: 'Nothing of the period is stored.', no_items: 'There was nothing to count.' };

function measureSide(part: Part<Report>, index: number, side: 'a' | 'b', shared: Shared): Measurement {
  const { metric, label, better, [side]: of } = part.answer.metrics[index] as Report['metrics'][number];
  const at = `/metrics/${index}/${side}`;
  const place = {
    key: `${metric}_${side}`,
    label: `${label}, ${side}`,
    unit: of.unit,
    better,
    at: `${at}/value`,
    n: `${at}/n`,
    interval: bounds(`${at}/interval`),
    lowSample: `${at}/low_sample`,
    metric: null,
    missing: of.missing && reasons[of.missing],
  };
  const { window, coverage, as_of } = of;
  return measure(part, place, { ...shared, window, coverage, asOf: as_of ?? part.answer.generated_at });
}

/** Of shares in points. */
function measureDifference(part: Part<Report>, index: number, shared: Shared): Measurement {
  const { metric, label, better, a, b } = part.answer.metrics[index] as Report['metrics'][number];
  const at = `/metrics/${index}/difference`;
  const place = {
    key: `${metric}_difference`,
    label: `${label}, b less a`,
    unit: b.unit === 'percent' ? 'points' : b.unit,
    better,
    at: `${at}/absolute`,
    interval: bounds(`${at}/interval`),
    metric: null,
    missing: 'There is not enough data to compare.',
  };
  const coverage = a.coverage.complete ? b.coverage : a.coverage;
  return measure(part, place, { ...shared, window: null, coverage });
}
