import { expect, test } from 'vitest';
import { placesPerToken } from '../../../server/codehost/client/pool.ts';
import { clientOf, errorOf, startPlatform } from '../platform.ts';

test('an issue that waited too long for its turn is not sent any more', async () => {
  const platform = await startPlatform(() => undefined);
  const { codehost } = clientOf(platform.url, { timing: { restAttemptMs: 1500, restTotalMs: 1500 } });
  const before = Array.from({ length: 2 * placesPerToken }, (_, n) =>
    errorOf(codehost.repositories.get({ owner: 'octo', repo: `silent-${n}` })),
  );
  const filing = codehost.createIssue({ owner: 'octo', repo: 'web' }, { title: 'Slow', body: '' });
  expect((await errorOf(filing)).code).toBe('upstream_unavailable');
  await Promise.all(before);
  expect(platform.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  await platform.close();
});
