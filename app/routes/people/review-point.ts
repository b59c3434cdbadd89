import { count } from '../../../server/domain/quantity.ts';
import type { Profile } from './profile.ts';
import type { Waiting } from './waiting.ts';

const dayMs = 86_400_000;
const longDays = 14;

/** What to ask where others have waited for the person's review for two weeks; null where none has. */
export function findReviewPoint(
  { forThem }: Pick<Waiting, 'forThem'>,
  now: number,
): Profile['talking_points'][number] | null {
  const days = forThem
    .flatMap(({ waiting_on: on, waiting_since: since }) => (on === 'reviewer' && since !== null ? since : []))
    .map((since) => Math.floor((now - Date.parse(since)) / dayMs))
    .filter((waited) => waited >= longDays);
  if (days.length === 0) return null;
  return {
    rule: 'reviews_waiting',
    because: `${count(days.length, 'requested review')} waiting for ${longDays} days or more, the oldest for ${Math.max(...days)} days.`,
    question: 'Requested reviews: what would make room for them?',
  };
}
