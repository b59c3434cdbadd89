import { type Bounds, type Direction, fromLog, toLog } from './baseline.ts';
import { median } from './statistics.ts';

/** The newest values among which a second mode is looked for, unusual ones included. */
export const longestMemory = 50;

/**
 * The values of a second mode on one side of the main one, such as runs without a warm cache; null when there is none.
 * A mode comes and goes: what was reached in one go is a new level, and what is rare is unusual.
 */
export function modeBeyond(
  recent: readonly number[],
  { highMs, lowMs }: Bounds,
  direction: Direction,
): number[] | null {
  const isBeyond = (ms: number) => (direction === 'high' ? ms >= highMs : lowMs !== null && ms <= lowMs);
  const members: number[] = [];
  let visits = 0;
  let wasBeyond = false;
  for (const ms of recent) {
    const beyond = isBeyond(ms);
    if (beyond) members.push(ms);
    if (beyond && !wasBeyond) visits++;
    wasBeyond = beyond;
  }
  const minSize = Math.max(minMembers, minShare * recent.length);
  return members.length >= minSize && visits >= minVisits ? members : null;
}

/** What a mode lets expect. Its runs are few, so they are taken to vary as those of the main mode do. */
export function toExpected(mode: readonly number[], past: readonly number[]): number[] {
  const [there, here] = [median(mode), median(past)];
  if (there === null || here === null) return [...mode];
  const distance = toLog(there) - toLog(here);
  return [...mode, ...past.map((ms) => fromLog(toLog(ms) + distance))];
}

const minMembers = 5;
const minShare = 0.1;
const minVisits = 3;
