import type { Actor, Instant } from '../metrics/kernel/facts.ts';
import type { RandomStream } from '../metrics/kernel/random-stream.ts';
import { hour } from './calendar.ts';

/** When somebody works: minutes ahead of UTC, local hours, and how likely on a weekend against a working day. */
interface Rhythm {
  zone: number;
  from: number;
  to: number;
  weekend: number;
}

const rhythms: Record<string, Rhythm> = {
  'mira-okafor': { zone: 420, from: 8, to: 18, weekend: 0.3 },
  'tuan-pham': { zone: 420, from: 9, to: 19, weekend: 0.2 },
  'elsa-lind': { zone: 60, from: 7, to: 15, weekend: 0.1 },
  'ravi-menon': { zone: 330, from: 9, to: 17, weekend: 0.2 },
  'noor-haddad': { zone: 120, from: 9, to: 18, weekend: 2 },
  'joao-sales': { zone: -180, from: 10, to: 23, weekend: 1 },
};

const usual: Rhythm = { zone: 0, from: 9, to: 18, weekend: 0.2 };

/** Minutes a person's clock is ahead of UTC; the same all year. */
export const getZone = (login: string) => (rhythms[login] ?? usual).zone;

/** Somebody who may well be at work at this instant. */
export function personAt(random: RandomStream, people: readonly Actor[], at: Instant): Actor {
  const weights = people.map(({ login }) => weightAt(rhythms[login] ?? usual, at));
  let left = random() * weights.reduce((sum, one) => sum + one, 0);
  for (const [index, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return people[index] as Actor;
  }
  return people[0] as Actor;
}

function weightAt({ zone, from, to, weekend }: Rhythm, at: Instant): number {
  const local = new Date(at + (zone / 60) * hour);
  const [weekday, clock] = [local.getUTCDay(), local.getUTCHours()];
  const awake = clock >= from && clock < to ? 8 : 1;
  return awake * (weekday === 0 || weekday === 6 ? weekend : 1);
}
