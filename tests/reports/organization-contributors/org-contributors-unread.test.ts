import { expect, test } from 'vitest';
import { freshService } from '../../api/endpoints.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { anyDatabase } from '../../support/service.ts';

const visit = freshService({ DATABASE_URL: anyDatabase });

test('what could not be read of an included repository is said', async () => {
  const { app, clock, double } = visit.service;
  await visit.service.signIn('token-ann');
  for (const name of ['octo/web', 'octo/empty'])
    await app.services.store?.repositories.track(repositoryOf(double.world, name).facts, 'ann', clock.now());
  const fault = { kind: 'failing_field', field: 'PullRequestReview.author', type: 'FORBIDDEN' } as const;
  double.fault({ path: '/graphql', times: 99 }, fault);
  const { body, headers } = await visit.service.ask('GET', '/api/codehost/org-contributors?org=octo', {
    as: 'token-ann',
  });
  const synced = body.repositories.filter(({ reason }: { reason: string | null }) => reason !== 'not_synced');
  expect(synced).toMatchObject([
    { repo: 'empty', included: true, reason: null },
    { repo: 'web', included: true, reason: 'sub_fetch_failed' },
  ]);
  expect(body).toMatchObject({
    partial: true,
    coverage: { complete: false, reasons: ['not_synced', 'sub_fetch_failed', 'upstream_truncated'] },
  });
  expect(headers.get('x-partial')).toBe('true');
  expect(headers.get('x-partial-reason')).toMatch(
    /^reviews\.author of [1-9]\d* closed pull requests could not be read$/,
  );
});
