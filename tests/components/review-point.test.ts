import { expect, test } from 'vitest';
import { findReviewPoint } from '../../app/routes/people/review-point.ts';

const now = Date.UTC(2026, 10, 28, 12);
const day = 86_400_000;
const row = (waiting_on: 'reviewer' | 'author', days: number | null) => ({
  waiting_on,
  waiting_since: days === null ? null : new Date(now - days * day).toISOString(),
});
const find = (...forThem: ReturnType<typeof row>[]) => findReviewPoint({ forThem } as never, now);

test('reviews that others have waited for raise a question from two weeks on', () => {
  expect(find()).toBeNull();
  expect(find(row('reviewer', 13.9), row('reviewer', null), row('author', 40))).toBeNull();
  expect(find(row('reviewer', 2), row('reviewer', 14), row('reviewer', 33.5))).toMatchObject({
    rule: 'reviews_waiting',
    because: '2\u00a0requested reviews waiting for 14 days or more, the oldest for 33 days.',
    question: 'Requested reviews: what would make room for them?',
  });
});
