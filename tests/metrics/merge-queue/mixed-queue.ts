import type { MergeQueueEvent } from '../../../server/metrics/kernel/delivery-facts.ts';
import type { QueueFacts } from '../../../server/metrics/merge-queue/history.ts';
import { groupRun, minute, pullRequest } from './queue-facts.ts';

const reasons = ['failed_checks', 'checks_timed_out', 'merge_conflict', 'manual', 'queue_cleared', 'brand_new', null];
const pick = <T>(random: () => number, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

/** Pull requests of twenty days in every state that a queue has, with runs, pushes and removals that were not recorded. */
export function mixedQueue(random: () => number, now: number): QueueFacts {
  const pullRequests: ReturnType<typeof pullRequest>[] = [];
  const runs: ReturnType<typeof groupRun>[] = [];
  let tip = 'root';
  const count = 10 + Math.floor(random() * 50);
  let merged = now - 20 * 24 * 60 * minute;
  for (let number = 1; number <= count; number++) {
    const events: MergeQueueEvent[] = [];
    const pushes: number[] = [];
    merged += Math.floor(random() * 3) === 0 ? 4000 : Math.floor(1 + random() * 300) * minute;
    const build = (from: number, until: number) => {
      for (let round = Math.floor(random() * 3); round > 0; round--) {
        const branch = `gh-readonly-queue/main/pr-${number}-${String(runs.length).padStart(40, '0')}`;
        const createdAt = from + Math.floor(random() * ((until - from) / minute)) * minute;
        const conclusion = pick(random, ['success', 'failure', 'cancelled'] as const);
        const lasts = 1 + Math.floor(random() * 20);
        const jobs = ['build', 'test'].slice(0, Math.floor(random() * 3)).map((name) => ({
          name,
          conclusion: pick(random, ['success', 'failure', 'skipped'] as const),
          startedAt: createdAt,
          completedAt: createdAt + lasts * minute,
        }));
        const workflowName = pick(random, ['CI', 'Lint', null]);
        const parts = { id: runs.length, createdAt, startedAt: createdAt, workflowName, jobs };
        runs.push({
          ...groupRun(branch, '0:00', 1, { conclusion }),
          ...parts,
          completedAt: createdAt + lasts * minute,
        });
      }
    };
    const stay = (from: number, until: number, reason: string | null, isRecorded = true) => {
      events.push({ kind: 'added', at: from, isByBot: random() < 0.2, reason: null, headSha: null });
      const headSha = pick(random, ['head', 'other', null]);
      if (isRecorded) events.push({ kind: 'removed', at: until, isByBot: false, reason, headSha });
      build(from, until);
    };
    let before = merged - 3000 * minute;
    for (let earlier = Math.floor(random() * 3); earlier > 0; earlier--) {
      const until = before + (10 + Math.floor(random() * 200)) * minute;
      stay(before, until, pick(random, reasons), random() < 0.9);
      if (random() < 0.2) pushes.push(until - 30_000);
      before = until + (1 + Math.floor(random() * 600)) * minute;
    }
    const end = random();
    const one = pullRequest({ number });
    const isMerged = end < 0.7;
    if (isMerged && random() < 0.9)
      stay(merged - (1 + Math.floor(random() * 90)) * minute, merged, 'merged', random() < 0.9);
    if (!isMerged && end < 0.85) {
      events.push({ kind: 'added', at: now - 40 * minute, isByBot: false, reason: null, headSha: null });
      build(now - 40 * minute, now);
    }
    const isClosed = !isMerged && random() < 0.4;
    pullRequests.push({
      ...one,
      state: isMerged ? 'merged' : isClosed ? 'closed' : 'open',
      mergedAt: isMerged ? merged : null,
      closedAt: isMerged ? merged : isClosed ? now - minute : null,
      clock: pushes.map((at) => ({ kind: 'pushed', at, login: null })),
      mergeQueue: { events, mergeSha: isMerged ? `m${number}` : null, parentSha: isMerged ? tip : null },
    });
    if (isMerged) tip = random() < 0.8 ? `m${number}` : `x${number}`;
  }
  return { pullRequests, notices: [], runs };
}
