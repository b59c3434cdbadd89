import type { Instant } from '../metrics/kernel/facts.ts';
import type { AuditEntry } from '../store/audit.ts';

/** An issue that exists on the platform. */
export interface FiledIssue {
  number: number;
  htmlUrl: string;
  createdAt: Instant;
}

/** What somebody wants to file; texts go in as hashes alone. */
export interface WantedFiling {
  /** Goes to the platform inside the issue, so that it can be found there. */
  operationId: string;
  userId: number;
  /** The caller's own key; null without one. */
  key: string | null;
  /** Of everything that was requested. */
  requestHash: string;
  /** Of the repository and the title without regard to case. */
  subjectHash: string;
}

export interface Filing extends WantedFiling {
  claimedAt: Instant;
  /** While this lies ahead somebody is at it; after it, without an issue, nobody knows what became of it. */
  leaseUntil: Instant;
  issue: FiledIssue | null;
}

export type Claim =
  /** The caller's to send. `isResumed`: somebody may have sent it before under the same operation id. */
  | { kind: 'own'; filing: Filing; isResumed: boolean }
  | { kind: 'replayed'; issue: FiledIssue }
  | { kind: 'duplicate'; issue: FiledIssue }
  | { kind: 'conflict' }
  | { kind: 'running' };

/** Who files what at the moment, and what was filed in the last 24 hours. */
export interface IssueFilings {
  /** Takes a filing unless it is somebody's already; of any number at once, one gets it. */
  claim(wanted: WantedFiling, now: Instant): Promise<Claim>;
  /** Stores the outcome for a repeated request, and the entry with it, once; without a database there are no entries. */
  filed(filing: Filing, issue: FiledIssue, note: { entry: AuditEntry; now: Instant } | null): Promise<void>;
  /** Nothing was filed: forgets the claim, unless somebody else has taken it over. */
  released(filing: Filing): Promise<void>;
  /** The outcome is unknown: the next request takes it over at once. */
  unsure(filing: Filing, now: Instant): Promise<void>;
}

export const filingTtlMs = 24 * 3_600_000;
export const filingLeaseMs = 60_000;
/** Whoever has less of the lease left does not send any more: it could end while the platform still creates. */
export const filingReserveMs = 20_000;
const duplicateMs = 15 * 60_000;

/** What becomes of a wish, given the filings of the same account from the last 24 hours. */
export function decideClaim(known: readonly Filing[], wanted: WantedFiling, now: Instant): Claim {
  const earlier = wanted.key === null ? sameSubject(known, wanted, now) : known.find(({ key }) => key === wanted.key);
  if (!earlier) {
    const filing = { ...wanted, claimedAt: now, leaseUntil: now + filingLeaseMs, issue: null };
    return { kind: 'own', filing, isResumed: false };
  }
  if (wanted.key !== null && earlier.requestHash !== wanted.requestHash) return { kind: 'conflict' };
  if (earlier.issue) return { kind: wanted.key === null ? 'duplicate' : 'replayed', issue: earlier.issue };
  if (earlier.leaseUntil > now) return { kind: 'running' };
  return { kind: 'own', filing: { ...earlier, leaseUntil: now + filingLeaseMs }, isResumed: true };
}

const sameSubject = (known: readonly Filing[], { subjectHash }: WantedFiling, now: Instant): Filing | undefined =>
  known
    .filter((one) => one.subjectHash === subjectHash && one.claimedAt > now - duplicateMs)
    .sort((one, other) => other.claimedAt - one.claimedAt)[0];

/** The filings of a process without a database. */
export function memoryIssueFilings(): IssueFilings {
  let all: Filing[] = [];
  const is = (one: Filing, given: Filing) => one.operationId === given.operationId;
  const replace = (filing: Filing) => {
    all = [...all.filter((one) => !is(one, filing)), filing];
  };
  return {
    async claim(wanted, now) {
      all = all.filter(({ claimedAt }) => claimedAt > now - filingTtlMs);
      const own = all.filter(({ userId }) => userId === wanted.userId);
      const claim = decideClaim(own, wanted, now);
      if (claim.kind === 'own') replace(claim.filing);
      return claim;
    },
    async filed(filing, issue) {
      replace({ ...filing, issue });
    },
    async released(filing) {
      all = all.filter((one) => !(is(one, filing) && one.leaseUntil === filing.leaseUntil));
    },
    async unsure(filing, now) {
      if (all.some((one) => is(one, filing) && one.leaseUntil === filing.leaseUntil))
        replace({ ...filing, leaseUntil: now });
    },
  };
}
