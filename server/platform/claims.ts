import type { Instant } from '../metrics/kernel/facts.ts';
import type { AuditEntry } from '../store/audit.ts';

/** What somebody wants to make on the platform, once; texts go in as hashes alone. */
export interface Wanted {
  /** Goes to the platform inside of what is made, so that it can be found there. */
  operationId: string;
  userId: number;
  /** The caller's own key; null without one. */
  key: string | null;
  /** Of everything that was requested. */
  requestHash: string;
  /** Of what makes two requests the same where they have no key. */
  subjectHash: string;
}

/** What somebody is making, or has made. */
export type Claimed<Made, Wish extends Wanted = Wanted> = Wish & {
  claimedAt: Instant;
  /** While this lies ahead somebody is at it; after it, with nothing made, nobody knows what became of it. */
  leaseUntil: Instant;
  made: Made | null;
};

export type Claim<Made, Wish extends Wanted = Wanted> =
  /** The caller's to make. `isResumed`: somebody may have begun it before under the same operation id. */
  | { kind: 'own'; claimed: Claimed<Made, Wish>; isResumed: boolean }
  | { kind: 'replayed'; made: Made }
  | { kind: 'duplicate'; made: Made }
  | { kind: 'conflict' }
  | { kind: 'running' };

/** Who makes what at the moment, and what was made in the last 24 hours. */
export interface Claims<Made, Wish extends Wanted = Wanted> {
  /** Takes what is wanted unless somebody has it already; of any number at once, one gets it. */
  claim(wanted: Wish, now: Instant): Promise<Claim<Made, Wish>>;
  /** Stores the outcome for a repeated request, and the entry with it, once; without a database there are no entries. */
  done(claimed: Claimed<Made, Wish>, made: Made, note: { entry: AuditEntry; now: Instant } | null): Promise<void>;
  /** Nothing was made: forgets the claim, unless somebody else has taken it over. */
  released(claimed: Claimed<Made, Wish>): Promise<void>;
  /** The outcome is unknown: the next request takes it over at once. */
  unsure(claimed: Claimed<Made, Wish>, now: Instant): Promise<void>;
}

export const claimTtlMs = 24 * 3_600_000;
export const claimLeaseMs = 60_000;
/** Whoever has less of the lease left does not send any more: it could end while the platform still creates. */
export const claimReserveMs = 20_000;
const duplicateMs = 15 * 60_000;

/** What becomes of a wish, given the claims of the same account from the last 24 hours. */
export function decideClaim<Made, Wish extends Wanted>(
  known: readonly Claimed<Made>[],
  wanted: Wish,
  now: Instant,
): Claim<Made, Wish> {
  const earlier = wanted.key === null ? sameSubject(known, wanted, now) : known.find(({ key }) => key === wanted.key);
  const leaseUntil = now + claimLeaseMs;
  if (!earlier) {
    const claimed = { ...wanted, claimedAt: now, leaseUntil, made: null };
    return { kind: 'own', claimed, isResumed: false };
  }
  if (wanted.key !== null && earlier.requestHash !== wanted.requestHash) return { kind: 'conflict' };
  if (earlier.made) return { kind: wanted.key === null ? 'duplicate' : 'replayed', made: earlier.made };
  if (earlier.leaseUntil > now) return { kind: 'running' };
  return { kind: 'own', claimed: { ...wanted, ...earlier, leaseUntil }, isResumed: true };
}

const sameSubject = <Made>(
  known: readonly Claimed<Made>[],
  { subjectHash }: Wanted,
  now: Instant,
): Claimed<Made> | undefined =>
  known
    .filter((one) => one.subjectHash === subjectHash && one.claimedAt > now - duplicateMs)
    .sort((one, other) => other.claimedAt - one.claimedAt)[0];

/** The claims of a process without a database. */
export function memoryClaims<Made, Wish extends Wanted = Wanted>(): Claims<Made, Wish> {
  let all: Claimed<Made, Wish>[] = [];
  const is = (one: Wanted, given: Wanted) => one.operationId === given.operationId;
  const replace = (claimed: Claimed<Made, Wish>) => {
    all = [...all.filter((one) => !is(one, claimed)), claimed];
  };
  return {
    async claim(wanted, now) {
      all = all.filter(({ claimedAt }) => claimedAt > now - claimTtlMs);
      const own = all.filter(({ userId }) => userId === wanted.userId);
      const claim = decideClaim<Made, Wish>(own, wanted, now);
      if (claim.kind === 'own') replace(claim.claimed);
      return claim;
    },
    async done(claimed, made) {
      replace({ ...claimed, made });
    },
    async released(claimed) {
      all = all.filter((one) => !(is(one, claimed) && one.leaseUntil === claimed.leaseUntil));
    },
    async unsure(claimed, now) {
      if (all.some((one) => is(one, claimed) && one.leaseUntil === claimed.leaseUntil))
        replace({ ...claimed, leaseUntil: now });
    },
  };
}
