import type { ComparedPullRequest } from '../../metrics/ai-authorship/comparison/compared-pull-request.ts';
import { clusterOf, stratumOf } from '../../metrics/ai-authorship/comparison/compared-pull-request.ts';
import type { ComparedClass } from '../../metrics/ai-authorship/comparison/gather.ts';
import { type RandomStream, randomStream } from '../../metrics/kernel/random-stream.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { addDays, getDayWeekday, getWeekStart } from '../../metrics/people/workday-hours.ts';
import type { MarksReading } from './source.ts';

/**
 * What came of the invented pull requests of the sample organization. Those of agents are small, and in two repositories
 * that merge nearly everything, so that plain averages differ; nothing is due to the agents but 0.6 review rounds.
 */
export function sampleComparison(
  { groups }: Pick<MarksReading, 'groups'>,
  { class: wanted, agent }: ComparedClass,
): ComparedPullRequest[] {
  const easy = new Set(groups.flatMap((one) => (one.class === 'agent_authored' ? one.repositoryId : [])));
  const random = randomStream('demo comparison');
  let number = 0;
  return groups
    .filter((one) => one.class === 'unmarked' || (one.class === wanted && (agent === null || one.agent === agent)))
    .flatMap(({ prs, ...group }) =>
      Array.from({ length: prs }, () => {
        number += 1;
        return invent(
          {
            ...group,
            number,
            isMarked: group.class !== 'unmarked',
            isByAgent: group.class === 'agent_authored',
            isEasy: easy.has(group.repositoryId),
          },
          random,
        );
      }),
    );
}

interface Invented {
  repositoryId: number;
  month: string;
  author: string | null;
  number: number;
  isMarked: boolean;
  isByAgent: boolean;
  isEasy: boolean;
}

const types = ['fix', 'feature'] as const;

function invent(
  { repositoryId, month, author, number, isMarked, isByAgent, isEasy }: Invented,
  random: RandomStream,
): ComparedPullRequest {
  const type = types[number % types.length] ?? 'other';
  // Alike in each repository, month and kind of work, so that chance does not make the sample incomparable.
  const weekday = (repositoryId + Number(month.slice(5))) % 5;
  const first = `${month}-01`;
  const day = addDays(first, ((weekday + 8 - getDayWeekday(first)) % 7) + 7 * Math.floor(4 * random()));
  const size = (isMarked ? 3.3 : 3.6) + 2 * (random() + random() - 1);
  const isMerged = random() < (isEasy ? 0.985 : 0.88) - 0.01 * (size - 3.6);
  const firstReview = Math.exp(2 + 0.3 * (random() + random() - 1));
  const rounds = (random() < 0.5 ? 1 : 2) + (isByAgent && random() < 0.55 ? 1 : 0);
  const repository = String(repositoryId);
  return {
    repository,
    number,
    isMarked,
    author,
    createdAt: Date.parse(day) + random() * dayMs,
    stratum: stratumOf({ repository, month, type, isExperienced: null }),
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
      reverted_30d: null,
      rework_30d: null,
      ci_minutes: null,
      ci_failed_share: null,
    },
  };
}
