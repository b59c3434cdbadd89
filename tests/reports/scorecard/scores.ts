import { setTimeout as sleep } from 'node:timers/promises';
import type { Answered, Service } from '../../support/service.ts';

export interface Row {
  repo: string;
  composite_score: number | null;
}

export const rowOf = ({ body }: Answered, name: string) => body.repos.find(({ repo }: Row) => repo === name);

/** Why repositories have no score, by name. */
export const reasonsOf = ({ body }: Answered) =>
  Object.fromEntries(body.skipped.map(({ repo, reason }: { repo: string; reason: string }) => [repo, reason]));

/** Asks a service for the scores of an organization. */
export function scoresIn(visit: { service: Service }) {
  const once = (query = 'org=octo', as = 'token-ann') =>
    visit.service.ask('GET', `/api/codehost/org-health-scorecard?${query}`, { as });

  /** Asks again until nothing is being computed any more. */
  async function scorecard(query = 'org=octo', as = 'token-ann'): Promise<Answered> {
    for (let tries = 0; tries < 200; tries++) {
      const answer = await once(query, as);
      if (!answer.body.computing) return answer;
      await sleep(50);
    }
    throw new Error('the scores were never finished');
  }

  /** Something is pushed now: without a push a row is taken over as it is. */
  function push(name: string): void {
    const found = visit.service.double.world.repositories.find(({ facts }) => facts.repo === name);
    if (found) found.facts.pushedAt = visit.service.clock.now();
  }

  return { once, scorecard, push };
}
