import { expect, test } from 'vitest';
import { memoryFactRepository } from '../../server/facts/memory-fact-repository.ts';
import { withTitles } from '../../server/facts/titles.ts';
import { withDouble } from '../codehost/double.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { aPullRequest } from '../metrics/delivery-builders.ts';

const platform = withDouble();
const stored = (number: number, updatedAt = namedNow) => aPullRequest({ number, updatedAt });

async function reader() {
  const { codehost } = platform.as();
  const repository = await codehost.repositories.get({ owner: 'octo', repo: 'web' });
  const source = { codehost, factRepository: memoryFactRepository() };
  const read = async (...pullRequests: ReturnType<typeof stored>[]) => {
    const before = platform.double.requests.length;
    const titled = await withTitles(source, repository, pullRequests);
    return { titles: titled.map(({ title }) => title), requests: platform.double.requests.length - before };
  };
  return { source, repository, read };
}

test('titles that are not stored are requested once, all in one request', async () => {
  const { read } = await reader();
  expect(await read(stored(1), stored(2))).toEqual({ titles: ['Count the lamps', 'Pull request 2'], requests: 1 });
  expect(await read(stored(2), stored(1))).toEqual({ titles: ['Pull request 2', 'Count the lamps'], requests: 0 });
  expect(await read()).toEqual({ titles: [], requests: 0 });
});

test('a title that came with its pull request is not requested', async () => {
  const { read } = await reader();
  expect(await read({ ...stored(1), title: 'Just read' })).toEqual({ titles: ['Just read'], requests: 0 });
  expect(await read(stored(1))).toEqual({ titles: ['Just read'], requests: 0 });
});

test('a pull request that was changed since is requested again', async () => {
  const { read } = await reader();
  await read({ ...stored(1, namedNow - 1), title: 'Before' });
  expect(await read(stored(1))).toEqual({ titles: ['Count the lamps'], requests: 1 });
});

test('what the platform does not tell stays unknown', async () => {
  const { read } = await reader();
  expect((await read(stored(1), stored(987_654))).titles).toEqual(['Count the lamps', null]);
  platform.double.fault({ path: '/graphql', times: 100 }, { kind: 'graphql_error', type: 'RATE_LIMITED' });
  expect((await read(stored(3), stored(1))).titles).toEqual([null, 'Count the lamps']);
});

test('another factRepository knows no titles of this one', async () => {
  const { read, source, repository } = await reader();
  await read({ ...stored(3), title: 'Of one service' });
  const [other] = await withTitles({ ...source, factRepository: memoryFactRepository() }, repository, [stored(3)]);
  expect(other?.title).toBe('Pull request 3');
});
