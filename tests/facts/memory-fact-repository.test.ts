import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FactBatch } from '../../server/facts/fact-repository.ts';
import { memoryFactRepository } from '../../server/facts/memory-fact-repository.ts';
import { repository } from '../store/world.ts';
import { keepsTheContract } from './fact-repository-contract.ts';
import { anyFact, syncStateOf } from './made-facts.ts';

keepsTheContract(async () => memoryFactRepository());

test('the repositories longest not requested go, with their sync states', async () => {
  const factRepository = memoryFactRepository(12);
  const commits = fc.sample(anyFact.commits, 1).flatMap((one) => [...'abcd'].map((sha) => ({ ...one, sha })));
  const batch: FactBatch = { syncState: syncStateOf('commits'), items: commits, replaces: true };
  for (const id of [1, 2]) await factRepository.store(repository(id), [batch]);
  await factRepository.facts(repository(1), 'commits', 0);
  await factRepository.store(repository(3), [batch]);
  expect(await factRepository.syncStates(repository(2))).toEqual([]);
  expect(await factRepository.facts(repository(2), 'commits', 0)).toEqual([]);
  expect(await factRepository.facts(repository(1), 'commits', 0)).toHaveLength(4);
  expect(await factRepository.facts(repository(3), 'commits', 0)).toHaveLength(4);
});

test('a repository with more facts than fit is not stored by half', async () => {
  const factRepository = memoryFactRepository(3);
  const commits = fc.sample(anyFact.commits, 1).flatMap((one) => [...'abcd'].map((sha) => ({ ...one, sha })));
  await factRepository.store(repository(1), [{ syncState: syncStateOf('commits'), items: commits, replaces: true }]);
  expect(await factRepository.syncStates(repository(1))).toEqual([]);
  expect(await factRepository.facts(repository(1), 'commits', 0)).toEqual([]);
});
