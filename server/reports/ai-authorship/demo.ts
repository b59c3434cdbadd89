import type { MarkKind } from '../../metrics/ai-authorship/classes.ts';
import type { MarkedGroup } from '../../metrics/ai-authorship/groups.ts';
import { toBits } from '../../metrics/ai-authorship/mark-bits.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { addMonths, type Months } from './months.ts';

/**
 * The sample organization has no stored marks: they are invented. Over six months the share of marked pull requests
 * rises from 6 to 19 %. Agents open theirs in two repositories; the last one has three people, too few to be shown.
 */
export function sampleGroups(repositoryIds: readonly number[], months: Months, now: Instant): MarkedGroup[] {
  const ids = [...repositoryIds].sort((a, b) => a - b);
  const present = new Date(now).toISOString().slice(0, 7);
  return months.all.flatMap((month) => {
    const age = countMonths(month, present);
    const share = Math.max(0.02, 0.216 - 0.026 * age);
    return ids.flatMap((repositoryId, index) => inventMonth({ repositoryId, month, share, index, count: ids.length }));
  });
}

interface Invented {
  repositoryId: number;
  month: string;
  share: number;
  index: number;
  /** Of repositories. */
  count: number;
}

function inventMonth({ repositoryId, month, share, index, count }: Invented): MarkedGroup[] {
  const total = 64 + ((index * 7) % 21);
  const agent = agents[index];
  const byAgent = agent ? Math.round((total * share * 0.6 * count) / agents.length) : 0;
  const assisted = Math.round(total * share * 0.4);
  const branchOnly = 2;
  const unread = index % 3 === 0 ? 1 : 0;
  const people = index === count - 1 ? 3 : 8;
  const base = { repositoryId, month, agent: null, author: null };
  const byPeople = (count: number, first: number, rest: Pick<MarkedGroup, 'class' | 'agent' | 'kinds'>) =>
    Array.from({ length: count }, (_, place) => ({
      ...base,
      ...rest,
      author: `person-${(first + place) % people}`,
      prs: 1,
    }));
  return [
    { ...base, class: 'automation', kinds: 0, prs: 3 + (index % 3) },
    ...(agent
      ? [{ ...base, class: 'agent_authored' as const, agent, kinds: bitsOf('author_account'), prs: byAgent }]
      : []),
    ...byPeople(assisted, index * 3, { class: 'ai_assisted', agent: 'Claude', kinds: bitsOf('co_author') }),
    ...byPeople(branchOnly, index, { class: 'unmarked', agent: null, kinds: branchOnlyBits }),
    ...byPeople(unread, index, { class: 'unread', agent: null, kinds: 0 }),
    ...byPeople(total - byAgent - assisted - branchOnly - unread, index, { class: 'unmarked', agent: null, kinds: 0 }),
  ];
}

/** The agents of the first repositories. */
const agents = ['Copilot', 'Codex'];

const bitsOf = (kind: MarkKind) => toBits({ kinds: [kind] });
const branchOnlyBits = toBits({ kinds: [], isBranchOnly: true });

function countMonths(from: string, to: string): number {
  let count = 0;
  for (let month = from; month < to; month = addMonths(month, 1)) count++;
  return count;
}
