import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFacts } from '../../server/facts/facts.ts';
import { aCommit, anActor } from '../codehost-double/delivery-builders.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { eachDatabase } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import { allowing, pullRequestStage } from './pull-request-stage.ts';
import { day, hour, minute } from './stage.ts';

/** What may happen between two requests of synchronizations, and how far those get. */
const happening = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), requests: fc.integer({ min: 0, max: 4 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('commits' as const), requests: fc.integer({ min: 0, max: 5 }) }),
  },
  fc.record({ kind: fc.constant('look' as const), days: fc.constantFrom(7, 30, 90) }),
  fc.record({ kind: fc.constant('comment' as const), number: fc.integer({ min: 1, max: 70 }) }),
  fc.record({ kind: fc.constant('reopen' as const), number: fc.integer({ min: 1, max: 70 }) }),
  fc.record({ kind: fc.constant('merge' as const), commits: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 8, 60) }),
);
type Happening = typeof happening extends fc.Arbitrary<infer Kind> ? Kind : never;

const worlds = rounds('WORLDS', 3, 8);

eachDatabase((given) => {
  const stage = pullRequestStage(given);
  const { platform } = stage;
  const now = () => stage.client.clock.now();

  /** 70 that ended in 80 days: every third was closed and may be opened again, the others were merged. */
  function fill() {
    const { double } = platform;
    for (let number = 1; number <= 70; number++) {
      const endedAt = now() - number * 27 * hour;
      const commits = [aCommit(endedAt - hour, anActor('ann'), `first of ${number} in ${stage.name}`)];
      const end = number % 3 === 0 ? { closedAt: endedAt } : { mergedAt: endedAt };
      double.putPullRequest(stage.name, { number, createdAt: endedAt - day, commits, ...end });
    }
  }

  async function happen(one: Happening) {
    const { double } = platform;
    platform.advance(minute);
    const { pullRequests, facts } = repositoryOf(double.world, stage.name);
    const numbered = (number: number) => pullRequests.find((each) => each.number === number);
    if (one.kind === 'read') await stage.sync(allowing(one.requests));
    if (one.kind === 'commits') await stage.syncCommits(allowing(one.requests));
    if (one.kind === 'wait') platform.advance(one.hours * hour);
    if (one.kind === 'comment' && numbered(one.number)) {
      const review = { reviewer: anActor('bo'), state: 'commented', submittedAt: now() } as const;
      double.addReview(stage.name, one.number, review);
    }
    if (one.kind === 'reopen' && numbered(one.number)?.mergedAt === null)
      Object.assign(numbered(one.number) ?? {}, { state: 'open', closedAt: null, updatedAt: now() });
    if (one.kind === 'merge') {
      const number = 101 + pullRequests.length;
      const commits = Array.from({ length: one.commits }, (_, part) =>
        aCommit(now() - hour + part * 1000, null, `${number}`),
      );
      double.putPullRequest(stage.name, { number, createdAt: now() - 2 * hour, mergedAt: now(), commits });
    }
    if (one.kind === 'look') {
      const { codehost, clock } = stage.client;
      const request = { since: now() - one.days * day, maxAgeMs: 0 };
      const source = { codehost, clock, factRepository: stage.store.facts };
      const { items } = await readFacts(source, facts, 'pull_requests', request);
      const ended = pullRequests.filter(({ state, closedAt }) => state !== 'open' && (closedAt ?? 0) >= request.since);
      expect(items.length, 'whoever looks sees everything').toBe(ended.length);
    }
  }

  test(
    `any split of the readings of ${worlds} changing worlds gives what the platform has`,
    async () => {
      let world = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(happening, { minLength: 3, maxLength: 12 }), async (story) => {
          world++;
          platform.double.addRepository({ name: `octo/world-${world}`, facts: { id: 60_000 + world } });
          stage.name = `octo/world-${world}`;
          stage.repoId = await stage.store.repositories.track(stage.repository.facts, 'ann', now());
          // What one client remembers for minutes is no matter of this test.
          stage.client = platform.as();
          fill();
          for (const one of story) await happen(one);
          // The first may end a reading that began before the last change; the second finds that.
          for (let call = 0; call < 2; call++) {
            platform.advance(7 * hour);
            expect(await stage.syncCommits()).toMatchObject({ complete: true, remaining: 0, problem: null });
          }
          expect(await stage.stored()).toEqual(stage.wanted());
          expect(await stage.storedCommits()).toEqual(stage.wantedCommits());
        }),
        { numRuns: worlds, seed: 20_260_310 },
      );
    },
    60_000 + worlds * 6000,
  );
});
