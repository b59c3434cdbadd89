import { expect } from 'vitest';
import { between } from '../../server/demo/random.ts';
import type { RandomStream } from '../../server/metrics/kernel/random-stream.ts';
import { bearer } from '../api/moving-world.ts';
import { addRandomRepository, type RandomRepository } from '../codehost-double/random-repository.ts';
import { chance } from '../codehost-double/random-values.ts';
import type { Service } from '../support/service.ts';

const day = 86_400_000;

/** A repository that token-ann reads: stored, or in part, or not at all; at times it was renamed since. */
export async function makeWorld(
  service: Service,
  random: RandomStream,
  seed: number,
  visibility?: 'private' | 'public',
): Promise<RandomRepository> {
  const made = addRandomRepository(service, seed, visibility);
  if (chance(random, 0.2)) service.double.fault({ path: '/graphql', after: 3 }, { kind: 'status', status: 502 });
  const sync = `/api/db/sync?owner=${made.owner}&repo=${made.repo}`;
  if (chance(random, 0.8)) expect((await service.ask('POST', sync, bearer('token-ann'))).status).toBe(200);
  if (chance(random, 0.1)) service.double.rename(`octo/${made.repo}`, `octo/renamed-${seed}`);
  service.clock.advance(between(random, 0, day));
  return made;
}
