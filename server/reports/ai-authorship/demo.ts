import type { MarkKind } from '../../metrics/ai-authorship/classes.ts';
import type { MarkedGroup } from '../../metrics/ai-authorship/groups.ts';
import { toBits } from '../../metrics/ai-authorship/mark-bits.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { OpenedIn, OpenedPullRequests } from './demo-opened.ts';
import { addMonths, type Month, type Months } from './months.ts';

/**
 * The sample organization has no stored marks: they are invented, for as many pull requests as its repositories have.
 * Over six months the share of marked ones rises from 6 to 19 %. Agents open theirs in two repositories; those with few
 * pull requests have none with a mark.
 */
export function sampleGroups(opened: OpenedPullRequests, months: Months, now: Instant): MarkedGroup[] {
  const present = new Date(now).toISOString().slice(0, 7);
  return months.all.flatMap((month) => {
    const age = countMonths(month, present);
    const share = Math.max(0.02, 0.216 - 0.026 * age);
    const all = [...opened].sort(([a], [b]) => a - b).map(([repositoryId, of]) => ({ repositoryId, ...of(month) }));
    const busy = all.filter(({ byPeople }) => byPeople >= fewestMarked);
    const ofBusy = busy.reduce((sum, { byPeople }) => sum + byPeople, 0);
    return all.flatMap((one) => {
      const index = busy.indexOf(one);
      return index < 0 ? inventQuiet(one, month) : inventMonth({ ...one, month, share, index, ofBusy });
    });
  });
}

interface Invented extends OpenedIn {
  repositoryId: number;
  month: Month;
  share: number;
  /** Among the repositories with marks. */
  index: number;
  /** Pull requests of people in all of these. */
  ofBusy: number;
}

function inventMonth({ repositoryId, month, share, index, ofBusy, byPeople, byMachines }: Invented): MarkedGroup[] {
  const agent = agents[index];
  const byAgent = agent ? Math.round((ofBusy * share * 0.6) / agents.length) : 0;
  const assisted = Math.round(byPeople * share * 0.4);
  const branchOnly = 2;
  const unread = index % 3 === 0 ? 1 : 0;
  const of = groupsOf(repositoryId, month);
  return [
    ...of.machines('automation', null, 0, byMachines),
    ...(agent ? of.machines('agent_authored', agent, bitsOfAgent, byAgent) : []),
    ...of.people(assisted, index * 3, { class: 'ai_assisted', agent: 'Claude', kinds: bitsOf('co_author') }),
    ...of.people(branchOnly, index, { class: 'unmarked', agent: null, kinds: branchOnlyBits }),
    ...of.people(unread, index, { class: 'unread', agent: null, kinds: 0 }),
    ...of.people(Math.max(0, byPeople - byAgent - assisted - branchOnly - unread), index, unmarked),
  ];
}

function inventQuiet({ repositoryId, byPeople, byMachines }: OpenedIn & { repositoryId: number }, month: Month) {
  const of = groupsOf(repositoryId, month);
  return [...of.machines('automation', null, 0, byMachines), ...of.people(byPeople, repositoryId, unmarked)];
}

/** From so many pull requests of people a month on, a repository has some with a mark. */
const fewestMarked = 40;

/** As many as the sample organization has. */
const people = 6;

type Marks = Pick<MarkedGroup, 'class' | 'agent' | 'kinds'>;

const unmarked: Marks = { class: 'unmarked', agent: null, kinds: 0 };

const groupsOf = (repositoryId: number, month: Month) => ({
  machines: (own: MarkedGroup['class'], agent: string | null, kinds: number, prs: number): MarkedGroup[] =>
    prs === 0 ? [] : [{ repositoryId, month, class: own, agent, kinds, author: null, prs }],
  people: (count: number, first: number, marks: Marks): MarkedGroup[] =>
    Array.from({ length: count }, (_, place) => ({
      repositoryId,
      month,
      class: marks.class,
      agent: marks.agent,
      kinds: marks.kinds,
      author: `person-${(first + place) % people}`,
      prs: 1,
    })),
});

/** The agents of the first repositories with marks. */
const agents = ['Copilot', 'Codex'];

const bitsOf = (kind: MarkKind) => toBits({ kinds: [kind] });
const bitsOfAgent = toBits({ kinds: ['author_account'], isOfMachine: true });
const branchOnlyBits = toBits({ kinds: [], isBranchOnly: true });

function countMonths(from: string, to: string): number {
  let count = 0;
  for (let month = from; month < to; month = addMonths(month, 1)) count++;
  return count;
}
