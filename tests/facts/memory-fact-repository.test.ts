import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FactBatch } from '../../server/facts/fact-repository.ts';
import { memoryFactRepository } from '../../server/facts/memory-fact-repository.ts';
import { repository } from '../store/world.ts';
import { keepsTheContract } from './fact-repository-contract.ts';
import { anyFact, ledger } from './made-facts.ts';

keepsTheContract(async () => memoryFactRepository());

test('the repositories longest not asked for go, with their ledgers', async () => {
  const shelf = memoryFactRepository(12);
  const commits = fc.sample(anyFact.commits, 1).flatMap((one) => [...'abcd'].map((sha) => ({ ...one, sha })));
  const brought: FactBatch = { syncState: ledger('commits'), items: commits, replaces: true };
  for (const id of [1, 2]) await shelf.keep(repository(id), [brought]);
  await shelf.facts(repository(1), 'commits', 0);
  await shelf.keep(repository(3), [brought]);
  expect(await shelf.syncStates(repository(2))).toEqual([]);
  expect(await shelf.facts(repository(2), 'commits', 0)).toEqual([]);
  expect(await shelf.facts(repository(1), 'commits', 0)).toHaveLength(4);
  expect(await shelf.facts(repository(3), 'commits', 0)).toHaveLength(4);
});

test('a repository with more facts than fit is not kept by half', async () => {
  const shelf = memoryFactRepository(3);
  const commits = fc.sample(anyFact.commits, 1).flatMap((one) => [...'abcd'].map((sha) => ({ ...one, sha })));
  await shelf.keep(repository(1), [{ syncState: ledger('commits'), items: commits, replaces: true }]);
  expect(await shelf.syncStates(repository(1))).toEqual([]);
  expect(await shelf.facts(repository(1), 'commits', 0)).toEqual([]);
});
