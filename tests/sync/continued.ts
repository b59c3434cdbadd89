import { afterAll, beforeAll, expect } from 'vitest';
import { repositoryOf } from '../codehost-double/world.ts';
import { type Service, startService } from '../support/service.ts';
import { day, hour, platformRuns, repoIdOf, storedRuns } from './stage.ts';

/** Nothing but continuations reads the platform by itself, a page in each pass. */
export const settings = { SCHEDULER: 'external', SYNC_MAX_PAGES: '1' };
/** Long enough for the next pass to have begun, had there been one. */
export const roundMs = 1500;
export const patience = { interval: 50 };
let repositories = 0;

interface Progress {
  repo: string;
  state: string;
  runs_stored: number;
  from: string | null;
  read_pct: number | null;
  code: string | null;
  resume_at: string | null;
}

/** A repository of its own, with one page more than the call of a person reads. */
export function long({ double, clock }: Service, runs = 150): string {
  const name = `octo/long-${++repositories}`;
  double.addRepository({ name, facts: { id: 70_000 + repositories } });
  const window = { from: clock.now() - 80 * day, to: clock.now() - hour };
  double.addRuns(name, runs, { ...window, firstId: repositories * 1_000_000 + 1 });
  return name;
}

export const queryOf = (name: string) => `owner=octo&repo=${name.split('/')[1]}`;

export async function start(service: Service, name: string): Promise<void> {
  const answer = await service.ask('POST', `/api/db/sync?${queryOf(name)}`, { as: 'token-ann' });
  expect(answer.body).toMatchObject({ partial: true, results: [{ status: 'partial', total_in_db: 100 }] });
}

export async function progress(service: Service, name: string, as = 'token-ann'): Promise<Progress> {
  const answer = await service.ask('GET', `/api/db/sync?${queryOf(name)}`, { as });
  expect(answer.status).toBe(200);
  return answer.body.repositories[0];
}

export async function reaches(service: Service, name: string, state: string, as?: string): Promise<Progress> {
  await expect.poll(async () => (await progress(service, name, as))?.state, patience).toBe(state);
  return progress(service, name, as);
}

export const lists = ({ double }: Service, name: string) =>
  double.requests.filter(({ path }) => path === `/repos/${name}/actions/runs`);

export async function expectTruth(service: Service, name: string): Promise<void> {
  const { store } = service.app.services;
  if (!store) throw new Error('The service has no database.');
  const there = platformRuns(repositoryOf(service.double.world, name));
  expect(await storedRuns(store, await repoIdOf(store, name))).toEqual(there);
}

/** One service for the tests of a suite. */
export function serviceOf(address: () => Promise<string>, env: Record<string, string> = {}) {
  const visit = { service: null as unknown as Service };
  beforeAll(async () => {
    visit.service = await startService({ ...settings, DATABASE_URL: await address(), ...env });
  });
  afterAll(() => visit.service.close());
  return visit;
}
