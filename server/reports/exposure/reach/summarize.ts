import type { z } from 'zod';
import type { Domain } from '../../../api/wire.ts';
import type { JudgedAttempt } from '../judge-attempts.ts';
import { everySecret, hasWriteToken, isTokenUnknown, type Reach, unreachable } from './reach.ts';
import type { reachedSecrets, reachFields, reachTotals } from './schema.ts';

type Fields = Domain<z.ZodObject<typeof reachFields>>;
type Totals = Domain<z.ZodObject<typeof reachTotals>>;
type Row = Domain<typeof reachedSecrets>[number];

export const toReachFields = (reach: Reach | null, logPublic: boolean): Fields => ({
  ...(reach ?? unreachable),
  logPublic,
});

interface Reached extends JudgedAttempt {
  reach: Reach;
}

const isReached = (one: JudgedAttempt): one is Reached => one.reach !== null;

/** Of attempts that are affected, or possibly, how much they had in reach. */
export function countReach(attempts: readonly JudgedAttempt[]): Totals {
  const reached = attempts.filter(isReached);
  const count = (isCounted: (reach: Reach) => boolean | null) =>
    reached.filter(({ reach }) => isCounted(reach) === true).length;
  return {
    secretsNamed: countSecrets(reached),
    attemptsAllSecrets: count(({ allSecrets }) => allSecrets),
    attemptsIdToken: count(({ idToken }) => idToken),
    attemptsWriteToken: count(hasWriteToken),
    attemptsTokenUnknown: count(isTokenUnknown),
    attemptsSecretsUnknown: count((reach) => !isKnownInFull(reach)),
  };
}

/** null without such attempts, and where some are not known and none of the others names any: that is not none. */
export function countSecrets(attempts: readonly JudgedAttempt[]): number | null {
  const reached = attempts.filter(isReached);
  if (reached.length === 0) return null;
  const names = new Set(
    reached.flatMap(
      ({ attempt, reach }) => reach.secrets?.filter(isNamed).map((name) => `${attempt.repositoryId} ${name}`) ?? [],
    ),
  );
  const isKnown = reached.every(({ reach }) => isKnownInFull(reach));
  return names.size > 0 || isKnown ? names.size : null;
}

/** Whether it is known which secrets were in reach: those that have a name, or every one. */
const isKnownInFull = ({ secrets, allSecrets }: Reach): boolean =>
  secrets !== null && allSecrets !== null && (allSecrets || secrets.every(isNamed));

/** Not all that an environment has. */
const isNamed = (name: string): boolean => !name.endsWith('/*');

/** Whether any attempt could read every secret; null where that is not known. */
export function reachesAll(attempts: readonly JudgedAttempt[]): boolean | null {
  const reached = attempts.filter(isReached);
  if (reached.some(({ reach }) => reach.allSecrets)) return true;
  return reached.length > 0 && reached.every(({ reach }) => reach.allSecrets === false) ? false : null;
}

/** What to rotate: every secret first, then what most affected attempts had in reach. */
export function listSecrets(attempts: readonly JudgedAttempt[], names: ReadonlyMap<number, string>): Row[] {
  const named = attempts.filter(isReached).flatMap((one) => {
    const { secrets, allSecrets } = one.reach;
    return [...(allSecrets ? [everySecret] : []), ...(secrets ?? [])].map((name) => ({ ...one, name }));
  });
  const rows = [...Map.groupBy(named, ({ name }) => name)].map(([name, all]) => ({
    name,
    repositories: unique(all.map(({ attempt }) => names.get(attempt.repositoryId) ?? '')),
    attempts: all.length,
    affected: all.filter(({ judgement }) => judgement.verdict === 'proven').length,
    handed: all.filter(({ reach }) => reach.handed?.some((one) => one === name || one === everySecret)).length,
    environments: unique(all.flatMap(({ reach }) => reach.environments ?? [])),
  }));
  return rows.sort(
    (one, other) =>
      Number(other.name === everySecret) - Number(one.name === everySecret) ||
      other.affected - one.affected ||
      other.attempts - one.attempts ||
      (one.name < other.name ? -1 : 1),
  );
}

const unique = (all: readonly string[]): string[] => [...new Set(all)].sort();
