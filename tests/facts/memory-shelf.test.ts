import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryShelf } from '../../server/facts/memory-shelf.ts';
import type { Brought } from '../../server/facts/shelf.ts';
import { repository } from '../store/world.ts';
import { anyFact, ledger } from './made-facts.ts';
import { keepsTheContract } from './shelf-contract.ts';

keepsTheContract(async () => memoryShelf());

test('the repositories longest not asked for go, with their ledgers', async () => {
  const shelf = memoryShelf(12);
  const commits = fc.sample(anyFact.commits, 1).flatMap((one) => [...'abcd'].map((sha) => ({ ...one, sha })));
  const brought: Brought = { ledger: ledger('commits'), items: commits, replaces: true };
  for (const id of [1, 2]) await shelf.keep(repository(id), [brought]);
  await shelf.facts(repository(1), 'commits', 0);
  await shelf.keep(repository(3), [brought]);
  expect(await shelf.ledgers(repository(2))).toEqual([]);
  expect(await shelf.facts(repository(2), 'commits', 0)).toEqual([]);
  expect(await shelf.facts(repository(1), 'commits', 0)).toHaveLength(4);
  expect(await shelf.facts(repository(3), 'commits', 0)).toHaveLength(4);
});

test('a repository with more facts than fit is not kept by half', async () => {
  const shelf = memoryShelf(3);
  const commits = fc.sample(anyFact.commits, 1).flatMap((one) => [...'abcd'].map((sha) => ({ ...one, sha })));
  await shelf.keep(repository(1), [{ ledger: ledger('commits'), items: commits, replaces: true }]);
  expect(await shelf.ledgers(repository(1))).toEqual([]);
  expect(await shelf.facts(repository(1), 'commits', 0)).toEqual([]);
});
