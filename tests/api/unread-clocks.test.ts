import { expect, test } from 'vitest';
import { freshService } from './endpoints.ts';

const visit = freshService();
const web = 'owner=octo&repo=web';

/** Every value under such a name. */
const everyIn = (value: unknown, name: RegExp, path = ''): [path: string, value: unknown][] =>
  typeof value !== 'object' || value === null
    ? [[path, value] as [string, unknown]].filter(() => name.test(path))
    : Object.entries(value).flatMap(([key, one]) => everyIn(one, name, `${path}.${key}`));

const problem = {
  kind: 'failing_field',
  field: 'PullRequestTimelineItemsConnection.nodes',
  type: 'FORBIDDEN',
} as const;
const missing = { kind: 'nested_graphql', field: 'timelineItems', type: null } as const;
const questions: [question: string, expected: object][] = [
  [
    `open-pr-health?${web}`,
    { stale_count: null, time_to_first_review_p50_hours: null, time_to_first_review_sample: 0 },
  ],
  [`repo-dora?${web}`, { cycle_breakdown: { median_pickup_ms: null, samples: { pickup: 0 } } }],
  [`repo-contributors?${web}`, {}],
  ['contributor-profile?owner=octo&login=ana', {}],
];

test.each([
  ...questions.map((one) => [...one, 'with an error', problem] as const),
  ...questions.map((one) => [...one, 'without one', missing] as const),
])('%s is partial where review clocks are null, and waits unknown %o %s', async (question, expected, _, fault) => {
  await visit.service.signIn('token-ann');
  const waits = async () => {
    const answer = await visit.service.ask('GET', `/api/codehost/${question}`, { as: 'token-ann' });
    const all = everyIn(answer.body, /ready_at$|ready_age_hours$|turnaround_hours$|pickup_ms$/);
    return { answer, all, known: all.filter(([, value]) => value !== null) };
  };
  visit.service.double.fault({ path: '/graphql', times: 500 }, fault);
  const { answer, all, known } = await waits();
  expect([answer.status, answer.body.partial, answer.headers.get('x-partial')]).toEqual([200, true, 'true']);
  expect(answer.headers.get('x-partial-reason')).toMatch(
    /\btimelineItems(, queueItems)? of \d+ [a-z ]+ could not be read/,
  );
  expect(answer.body).toMatchObject(expected);
  expect(all.length).toBeGreaterThan(0);
  expect(known).toEqual([]);
});
