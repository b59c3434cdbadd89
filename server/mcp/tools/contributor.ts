import { z } from 'zod';
import { login, owner } from '../../api/parameters.ts';
import { getContributorProfile } from '../../reports/profile/operations.ts';
import { measure, type Place } from '../measurement.ts';
import { sharedOf } from '../shared.ts';
import { tool } from '../tool.ts';
import { untrusted } from '../untrusted.ts';

const figures = [
  {
    key: 'prs_opened',
    label: 'Pull requests opened',
    unit: 'count',
    better: 'neither',
    metric: 'person_prs_opened',
    missing: null,
  },
  {
    key: 'prs_merged',
    label: 'Pull requests merged',
    unit: 'count',
    better: 'neither',
    metric: 'person_prs_merged',
    missing: null,
  },
  {
    key: 'reviews_given',
    label: 'Reviews',
    unit: 'count',
    better: 'neither',
    metric: 'person_reviews_given',
    missing: 'Reviews of a pull request could not be read.',
  },
  {
    key: 'median_hours_to_merge',
    label: 'Time to merge, median',
    unit: 'hours',
    better: 'lower',
    metric: 'person_median_hours_to_merge',
    missing: 'No pull request of theirs was merged in these 45 days.',
  },
] as const;

const halves = [
  { half: 'recent', label: 'last 45 days' },
  { half: 'prior', label: 'the 45 days before' },
] as const;

const halfMs = 45 * 86_400_000;

/** Each half beside the other one of the same person. */
const places: readonly (Place & { half: (typeof halves)[number]['half'] })[] = figures.flatMap(
  ({ key, label, unit, better, metric, missing }) =>
    halves.map(({ half, label: when }) => ({
      half,
      key: `${key}_${half}`,
      label: `${label}, ${when}`,
      unit,
      better,
      metric,
      at: `/period_comparison/${key}_${half}`,
      missing,
      ...(unit === 'hours' ? { n: `/period_comparison/prs_merged_${half}` } : {}),
    })),
);

export const contributor = tool({
  name: 'contributor',
  title: 'Contributor',
  question: 'What should I talk about with Ana in our 1:1?',
  description:
    'One person in the repositories of an owner: the last 45 days beside the 45 before of the same person, with talking points. Never compare people with each other.',
  input: z.object({ owner, login }),
  operations: [getContributorProfile],
  questions: ({ owner, login }) => [{ operation: getContributorProfile, params: { owner, login } }],
  async run({ owner, login }, reader) {
    const part = await reader.read(getContributorProfile, { owner, login });
    const page = `/contributor/${login}?owner=${owner}`;
    const to = Date.parse(part.answer.generated_at);
    const windowOf = (half: 'recent' | 'prior') => {
      const end = half === 'recent' ? to : to - halfMs;
      return { from: new Date(end - halfMs).toISOString(), to: new Date(end).toISOString() };
    };
    return {
      subject: { owner, login },
      parts: [part],
      measurements: places.map(({ half, ...place }) =>
        measure(part, place, { ...sharedOf(reader, { owner, login, half }, page), window: windowOf(half) }),
      ),
      items: part.answer.talking_points.map(({ rule, because, question }) => ({
        key: rule,
        // They name repositories.
        value: { kind: 'talking_point', rule, because: untrusted(because), question: untrusted(question) },
      })),
      page,
    };
  },
});
