import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { eachDatabase } from '../support/database.ts';
import { day, noon } from './world.ts';

const wish = (subjectHash: string, key: string | null = null) => ({
  operationId: randomUUID(),
  userId: 101,
  key,
  requestHash: subjectHash,
  subjectHash,
});

eachDatabase((given) => {
  test('of ten claims at once one is had; given back, it is anybody’s again', async () => {
    const { filedIssues } = await given.open();
    for (const key of [null, 'key-00000001']) {
      const claims = await Promise.all(Array.from({ length: 10 }, () => filedIssues.claim(wish(`a${key}`, key), noon)));
      const own = claims.flatMap((one) => (one.kind === 'own' ? [one.claimed] : []));
      expect(own).toHaveLength(1);
      expect(claims.filter(({ kind }) => kind === 'running')).toHaveLength(9);
      for (const filing of own) await filedIssues.released(filing);
      expect(await filedIssues.claim(wish(`a${key}`, key), noon)).toMatchObject({ kind: 'own', isResumed: false });
    }
  });

  test('whoever took a claim over is not disturbed by the one before', async () => {
    const { filedIssues } = await given.open();
    const first = await filedIssues.claim(wish('a'), noon);
    const second = await filedIssues.claim(wish('a'), noon + 60_000);
    if (first.kind !== 'own' || second.kind !== 'own') throw new Error('Neither had to wait.');
    expect([second.isResumed, second.claimed.operationId]).toEqual([true, first.claimed.operationId]);
    await filedIssues.released(first.claimed);
    await filedIssues.unsure(first.claimed, noon + 60_000);
    expect(await filedIssues.claim(wish('a'), noon + 60_001)).toEqual({ kind: 'running' });
  });

  test('a day later it is forgotten', async () => {
    const { filedIssues, forgetExpired } = await given.open();
    await filedIssues.claim(wish('a'), noon - day - 1);
    await filedIssues.claim({ ...wish('b'), userId: 102 }, noon - day + 1);
    expect(await forgetExpired(noon)).toBe(1);
    expect(await forgetExpired(noon)).toBe(0);
  });
});
