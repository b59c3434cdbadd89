import { getSpend } from '../../reports/spend/operations.ts';
import type { Draft } from '../draft.ts';
import { type Measurement, measure, type Place } from '../measurement.ts';
import type { Reader } from '../reader.ts';
import { sharedOf } from '../shared.ts';
import { untrusted } from '../untrusted.ts';

const noJobs = 'No job with a known price is stored, or less than seven days.';

const ofWindow: readonly Place[] = [
  {
    key: 'monthly_cost',
    label: 'Estimated cost of 30 days',
    unit: 'usd',
    better: 'lower',
    at: '/totals/cost_per_month',
    n: '/totals/cost_sample',
    missing: noJobs,
    isEstimated: true,
  },
  {
    key: 'wasted_monthly_cost',
    label: 'Estimated cost of wasted attempts in 30 days',
    unit: 'usd',
    better: 'lower',
    at: '/totals/wasted_per_month',
    n: '/totals/cost_sample',
    missing: noJobs,
    isEstimated: true,
  },
];

const spent: Place = {
  key: 'spent',
  label: 'Estimated cost of the running month so far',
  unit: 'usd',
  better: 'lower',
  at: '/forecast/spent',
  metric: null,
  missing: 'No job of the month with a known price is stored.',
  isEstimated: true,
};

const expected: Omit<Place, 'missing'> = {
  key: 'expected',
  label: 'Expected cost of the running month',
  unit: 'usd',
  better: 'lower',
  at: '/forecast/expected',
  n: '/forecast/sample_days',
  interval: { low: '/forecast/low', high: '/forecast/high' },
  metric: null,
  isEstimated: true,
};

/** What CI of a repository costs, by workflow, from stored jobs. */
export async function costOfRepository(subject: { owner: string; repo: string }, reader: Reader): Promise<Draft> {
  const { owner, repo } = subject;
  const part = await reader.read(getSpend, { repo: `${owner}/${repo}` });
  const { rows, forecast } = part.answer;
  const page = `/cost?repo=${owner}/${repo}`;
  const shared = sharedOf(reader, subject, page);
  const measureMonth = (place: Place): Measurement => measure(part, place, { ...shared, window: null });
  return {
    subject,
    parts: [part],
    measurements: [
      ...ofWindow.map((place) => measure(part, place, shared)),
      measureMonth(spent),
      measureMonth({ ...expected, missing: forecast.missing }),
    ],
    items: rows.map(({ name, repo: _repo, ...row }) => ({
      key: `workflow ${row.workflow_id ?? name}`,
      value: { kind: 'workflow', workflow: untrusted(name), ...row },
    })),
    page,
  };
}
