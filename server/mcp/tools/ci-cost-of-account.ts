import { getCostAnalysis } from '../../reports/cost/operations.ts';
import type { Draft } from '../draft.ts';
import { measure, type Place } from '../measurement.ts';
import type { Reader } from '../reader.ts';
import { sharedOf } from '../shared.ts';

const ofAccount: readonly Place[] = [
  { key: 'net_amount', label: 'Net amount', unit: 'usd', better: 'lower', at: '/total_net_amount', missing: null },
  {
    key: 'gross_amount',
    label: 'Gross amount',
    unit: 'usd',
    better: 'lower',
    at: '/total_gross_amount',
    missing: null,
  },
  { key: 'billed_minutes', label: 'Minutes', unit: 'minutes', better: 'neither', at: '/total_minutes', missing: null },
];

const projected: Place = {
  key: 'projected_net_amount',
  label: 'Projected net amount of the month',
  unit: 'usd',
  better: 'lower',
  at: '/burn_rate/projected_net_amount',
  interval: { low: '/burn_rate/projected_net_low', high: '/burn_rate/projected_net_high' },
  metric: null,
  missing: 'There is no projection for a month that has ended.',
  isEstimated: true,
};

interface Month {
  org: string;
  year?: number;
  month?: number;
}

/** The bill of an organization in a month. */
export async function costOfAccount(month: Month, reader: Reader): Promise<Draft> {
  const { org } = month;
  const part = await reader.read(getCostAnalysis, { ...month });
  const page = `/cost?org=${org}`;
  const shared = sharedOf(reader, { ...month }, page);
  return {
    subject: { org },
    parts: [part],
    measurements: [...ofAccount, projected].map((place) => measure(part, place, shared)),
    items: [
      ...part.answer.skus.map(({ label: _label, ...rest }) => ({
        key: `sku ${rest.sku}`,
        value: { kind: 'sku', ...rest },
      })),
      ...(part.answer.by_repository ?? []).map((one) => ({
        key: `repository ${one.repo}`,
        value: { kind: 'repository', ...one },
      })),
    ],
    page,
  };
}
