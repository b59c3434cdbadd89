import { expect, test } from 'vitest';
import { withDouble } from '../double.ts';
import { errorOf } from '../platform.ts';

const world = withDouble();

test('a denied size of caches is not requested again within an hour', async () => {
  world.double.fault({ path: '/repos/octo/web/actions/cache/usage', times: 2 }, { kind: 'status', status: 403 });
  const { codehost, sent } = world.as();
  const usage = () => codehost.caches.usage({ owner: 'octo', repo: 'web' });
  expect((await errorOf(usage())).code).toBe('upstream_forbidden');
  const before = sent.length;
  world.advance(3_600_000 - 1);
  expect((await errorOf(usage())).code).toBe('upstream_forbidden');
  expect(sent.length).toBe(before);
  world.advance(1);
  await errorOf(usage());
  expect(sent.length).toBeGreaterThan(before);
});
