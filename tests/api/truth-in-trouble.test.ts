import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fault } from '../codehost-double/faults.ts';
import { type Answered, type Service, startService } from '../support/service.ts';
import { expectProblem } from './endpoints.ts';
import { bearer, factQuestions, hour, movingRepository, said } from './moving-world.ts';

const env = { RATE_LIMIT_SESSION_PER_MINUTE: '0' };
const questions = [
  ...factQuestions('owner=octo&repo=moving-1'),
  ...['composite_score', 'lead_time', 'bus_factor', 'abandon_rate', 'stale_count', 'deploys_per_day'].map(
    (metric) => `/api/explain?metric=${metric}&owner=octo&repo=moving-1`,
  ),
  '/api/codehost/contributor-profile?owner=octo&login=ana',
];

let service: Service;
const good = new Map<string, Record<string, unknown>>();
beforeAll(async () => {
  service = await startService(env);
  movingRepository(service, 1, 30);
  await anew(async (other) => readGood(other));
});
afterAll(() => service.close());

async function readGood(other: Service) {
  for (const path of questions) {
    const answer = await other.ask('GET', path, bearer('token-ann'));
    expect([path, answer.status]).toEqual([path, 200]);
    good.set(path, said(answer.body));
  }
}

/** Asks a service that never read anything. */
async function anew<T>(work: (other: Service) => Promise<T>): Promise<T> {
  service.double.budgets.clear();
  const other = await startService(env, service);
  try {
    return await work(other);
  } finally {
    await other.close();
  }
}

const asksAnew = (path: string) => anew((other) => other.ask('GET', path, bearer('token-ann')));

/** Rejected in the house's shape, or marked as incomplete, or what is missing is null and all the rest as it should be. */
function expectNoSilentGap(path: string, what: string, answer: Answered) {
  const { status, body } = answer;
  if (status !== 200) {
    expect([path, what, [403, 404, 410, 429, 502].includes(status), status]).toEqual([path, what, true, status]);
    return expectProblem(answer, status, body.code);
  }
  if (body.partial === true) return;
  expect([path, what, said(body)]).toEqual([path, what, orUnknown(good.get(path), said(body))]);
}

/** The value, with null wherever the answer has null. */
function orUnknown(value: unknown, reported: unknown): unknown {
  if (reported === null) return null;
  if (Array.isArray(value) && Array.isArray(reported))
    return value.map((one, index) => orUnknown(one, reported[index]));
  if (typeof value !== 'object' || value === null || typeof reported !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, orUnknown(one, (reported as Record<string, unknown>)[key])]),
  );
}

const missing = (field: string, type: string): Fault => ({
  kind: 'partial_graphql',
  field,
  type,
  message: 'Not told.',
});
const spent: Fault = { kind: 'primary_limit' };
const types = ['FORBIDDEN', 'SERVICE_UNAVAILABLE'];
const withTypes = (fields: string[]) => fields.flatMap((field) => types.map((type) => [field, type] as const));

describe('nothing is missing without a word', () => {
  test.each(withTypes(['repository', 'search', 'user']))('when %s is not known: %s', async (field, type) => {
    service.double.fault({ path: '/graphql', times: 100_000 }, missing(field, type));
    const answers = await Promise.all(questions.map(asksAnew));
    clearFaults();
    for (const [index, path] of questions.entries())
      expectNoSilentGap(path, `${field} ${type}`, answers[index] as Answered);
  });

  test.each([1, 2, 3])('when the platform fails after %d answers', async (after) => {
    for (const path of questions)
      for (const fault of [{ kind: 'status', status: 403 }, spent] as const) {
        service.double.fault({ path: /./, after, times: 100 }, fault);
        const answer = await asksAnew(path);
        clearFaults();
        expectNoSilentGap(path, `${fault.kind} after ${after}`, answer);
      }
  });
});

describe('when facts are stored and hours old', () => {
  async function requestsLater(fault: Fault): Promise<Answered[]> {
    return anew(async (other) => {
      await readGood(other);
      other.clock.advance(7 * hour);
      service.double.budgets.clear();
      await anew(readGood);
      service.double.fault({ path: '/graphql', times: 500 }, fault);
      const answers: Answered[] = [];
      for (const path of questions) answers.push(await other.ask('GET', path, bearer('token-ann')));
      clearFaults();
      return answers;
    });
  }

  test('a spent hour leaves them to be shown as old', async () => {
    const answers = await requestsLater(spent);
    for (const [index, path] of questions.entries()) {
      const { status, headers, body } = answers[index] as Answered;
      expect([path, status, headers.get('x-stale')]).toEqual([path, 200, 'true']);
      expect(Object.keys(said(body)).sort()).toEqual(Object.keys(good.get(path) ?? {}).sort());
    }
  });

  test.each([
    [403, 'upstream_forbidden'],
    [410, 'gone'],
  ])('an error stays one: %d', async (status, code) => {
    for (const answer of await requestsLater({ kind: 'status', status })) expectProblem(answer, status, code);
  });

  test.each(withTypes(['pull_requests', 'commits', 'issues', 'deployments', 'releases']))(
    'when %s are not known: %s',
    async (field, type) => {
      const answers = await requestsLater(missing(field, type));
      for (const [index, path] of questions.entries())
        expectNoSilentGap(path, `${field} ${type}`, answers[index] as Answered);
    },
  );
});

function clearFaults() {
  const { world } = service.double;
  service.double.reset();
  Object.assign(service.double.world, world);
}
