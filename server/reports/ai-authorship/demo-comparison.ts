import type { Services } from '../../access/context.ts';
import { clusterOf } from '../../metrics/ai-authorship/comparison/compared-pull-request.ts';
import type { GatheredPullRequest } from '../../metrics/ai-authorship/comparison/gather.ts';
import { isOfMachine } from '../../metrics/ai-authorship/floors.ts';
import type { MarkedGroup } from '../../metrics/ai-authorship/groups.ts';
import { type RandomStream, randomStream } from '../../metrics/kernel/random-stream.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { addDays, getDayWeekday, getWeekStart } from '../../metrics/people/workday-hours.ts';
import { type ComparisonScope, compare, keyOf, nameOf } from './compute-comparison.ts';
import type { MarksReading } from './source.ts';
import type { FoundComparison } from './stored-comparison.ts';

/** Those of the sample, which has no table: each is computed once in a month, whoever asks. */
const samples = new Map<string, Promise<FoundComparison>>();
/** More than the organization and its repositories have of both classes. */
const maxSamples = 64;

/** The comparison of the sample organization, of its usual months. */
export function findSample(
  scope: ComparisonScope,
  { groups, now }: Pick<MarksReading, 'groups' | 'now'>,
  services: Pick<Services, 'comparing'>,
): Promise<FoundComparison> {
  const key = Object.values(keyOf(scope)).join(' ');
  const found = samples.get(key);
  if (found) return found;
  if (samples.size >= maxSamples) samples.clear();
  const months = new Map(scope.cells.map((one) => [one.repository.id, one.months]));
  const names = new Map(scope.cells.map(({ repository }) => [repository.id, nameOf(repository)]));
  const compared = groups.filter((one) => months.get(one.repositoryId)?.includes(one.month));
  const gathered = sampleComparison(compared, (id) => names.get(id) ?? '');
  const making = compare({ gathered, excluded: [] }, scope, services).then(
    (answer): FoundComparison => ({
      stored: { answer, tableVersion: scope.tableVersion, computedAt: now },
      progress: 'done',
    }),
    (): FoundComparison => {
      samples.delete(key);
      return { stored: null, progress: 'computing' };
    },
  );
  samples.set(key, making);
  return making;
}

/**
 * What came of the invented pull requests of the sample organization. Those of agents are small, and in two repositories
 * that merge nearly everything, so that plain averages differ; nothing is due to the agents but 0.6 review rounds.
 */
export function sampleComparison(
  groups: readonly MarkedGroup[],
  nameOfRepository: (id: number) => string,
): GatheredPullRequest[] {
  const easy = new Set(groups.flatMap((one) => (one.class === 'agent_authored' ? one.repositoryId : [])));
  const random = randomStream('demo comparison');
  const ofRuns = randomStream('demo comparison', 'runs');
  let number = 0;
  return groups.flatMap((group) => {
    const { class: own } = group;
    if (own === 'automation' || own === 'unread') return [];
    return Array.from({ length: group.prs }, () => {
      number += 1;
      return invent(
        {
          group,
          class: own,
          number,
          isEasy: easy.has(group.repositoryId),
          repository: nameOfRepository(group.repositoryId),
        },
        random,
        ofRuns,
      );
    });
  });
}

interface Invented {
  group: MarkedGroup;
  class: GatheredPullRequest['class'];
  repository: string;
  number: number;
  isEasy: boolean;
}

const types = ['fix', 'feature'] as const;

/** About that of a standard runner. */
const usdPerMinute = 0.006;

function invent(
  { group, class: own, repository, number, isEasy }: Invented,
  random: RandomStream,
  ofRuns: RandomStream,
): GatheredPullRequest {
  const { repositoryId, month, author, agent } = group;
  const type = types[number % types.length] ?? 'other';
  // Alike in each repository, month and kind of work, so that chance does not make the sample incomparable.
  const weekday = (repositoryId + Number(month.slice(5))) % 5;
  const first = `${month}-01`;
  const day = addDays(first, ((weekday + 8 - getDayWeekday(first)) % 7) + 7 * Math.floor(4 * random()));
  // Marked ones are smaller, and all find one that is like them, so that averages of all may be shown.
  const size = own === 'unmarked' ? 3.6 + 2 * (random() + random() - 1) : 3.3 + 0.8 * (random() + random() - 1);
  const isMerged = random() < (isEasy ? 0.985 : 0.84) - 0.01 * (size - 3.6);
  const firstReview = Math.exp(2 + 0.3 * (random() + random() - 1));
  const ciMinutes = Math.exp(3 + 0.2 * (size - 3.6) + 0.5 * (ofRuns() + ofRuns() - 1));
  const failedShare = Math.floor(3 * ofRuns() ** 2) / 4;
  const usd = Math.ceil(ciMinutes) * usdPerMinute;
  const isReverted = ofRuns() < 0.02;
  const rounds = (random() < 0.5 ? 1 : 2) + (own === 'agent_authored' && random() < 0.55 ? 1 : 0);
  return {
    repository,
    number,
    class: own,
    agent,
    type,
    month,
    isExperienced: true,
    isOfMachine: isOfMachine(group),
    author,
    createdAt: Date.parse(day) + random() * dayMs,
    cluster: clusterOf(repository, getWeekStart(day)),
    weekday,
    lines: Math.round(Math.exp(size)),
    changedFiles: Math.max(1, Math.round(Math.exp(size / 2 - 0.5))),
    openPullRequests: 8 + (repositoryId % 6),
    outcomes: {
      merged_30d: Number(isMerged),
      first_review_hours: firstReview,
      review_rounds: rounds,
      time_to_merge_hours: isMerged ? firstReview * (2 + random() / 2) : null,
      reverted_30d: isMerged ? Number(isReverted) : null,
      rework_30d: isMerged ? Number(isReverted || ofRuns() < 0.05) : null,
      ci_minutes: ciMinutes,
      ci_failed_share: failedShare,
    },
    cost: { minutes: Math.ceil(ciMinutes), usd, failedUsd: usd * failedShare },
  };
}
