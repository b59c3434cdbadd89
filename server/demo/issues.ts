import type { Issue } from '../metrics/kernel/delivery-facts.ts';
import type { Actor, Instant } from '../metrics/kernel/facts.ts';
import { type RandomStream, randomStream } from '../metrics/kernel/random-stream.ts';
import { day, minute } from './calendar.ts';
import { around, between, pickOne } from './random.ts';

interface IssueRequest {
  seed: string;
  now: Instant;
  people: Actor[];
  open: number;
  closed: number;
}

/** Open issues of every age, some forgotten, and closed ones of the last quarter. Their numbers are given later. */
export function createIssues(request: IssueRequest): Issue[] {
  const of = (kind: string, count: number, make: typeof openIssue) =>
    Array.from({ length: count }, (_, index) =>
      make(request, (index + 0.5) / count, randomStream(request.seed, kind, index, request.now)),
    );
  return [...of('open issue', request.open, openIssue), ...of('closed issue', request.closed, closedIssue)];
}

/** `part` runs from the youngest to the oldest; old ones are often left alone. */
function openIssue({ now, people }: IssueRequest, part: number, random: RandomStream): Issue {
  const createdAt = now - minutes((1 + part ** 2 * 320) * day);
  const forgotten = random() < 0.35;
  const updatedAt = forgotten ? createdAt : now - minutes((now - createdAt) * random() * 0.5);
  return {
    ...blank(createdAt, people, random),
    updatedAt,
    comments: forgotten ? 0 : between(random, 1, 7),
    assignees: !forgotten && random() < 0.6 ? pickLogins(people, random) : [],
  };
}

function closedIssue({ now, people }: IssueRequest, part: number, random: RandomStream): Issue {
  const closedAt = now - minutes((0.3 + part * 88) * day);
  const swept = random() < 0.12;
  const lasted = swept ? between(random, 90, 300) : 6 * around(random, 0.9);
  return {
    ...blank(closedAt - minutes(lasted * day), people, random),
    updatedAt: closedAt,
    closedAt,
    closeReason: swept ? 'not_planned' : 'completed',
    closedByBot: swept,
    comments: between(random, 0, 6),
    assignees: swept ? [] : pickLogins(people, random),
  };
}

function blank(createdAt: Instant, people: Actor[], random: RandomStream): Issue {
  const luck = random();
  const author = luck < 0.04 ? null : pickOne(random, people);
  return {
    number: 0,
    title: pickOne(random, titles),
    createdAt,
    updatedAt: createdAt,
    closedAt: null,
    closeReason: null,
    closedByBot: false,
    author,
    labels: luck > 0.8 ? [] : [pickOne(random, labels)],
    assignees: [],
    comments: 0,
    htmlUrl: '#',
  };
}

function pickLogins(people: Actor[], random: RandomStream): string[] {
  const [first, second] = [pickOne(random, people).login, pickOne(random, people).login];
  return first === second || random() < 0.8 ? [first] : [first, second];
}

const minutes = (milliseconds: number) => Math.round(milliseconds / minute) * minute;

const labels = [
  { name: 'bug', color: 'd73a4a' },
  { name: 'feature', color: '0e8a16' },
  { name: 'question', color: 'd876e3' },
  { name: 'upkeep', color: 'c5def5' },
  { name: 'incident', color: 'b60205' },
];

const titles = [
  'Tide table is one hour late after midnight',
  'Say which berth is nearest to the fuel dock',
  'The map forgets its zoom',
  'Booking fails for ships longer than 300 m',
  'Print the week of a pilot',
  'Wind warnings come twice',
  'Harbour fees round the wrong way',
  'Names with accents are cut',
  'Let agents cancel by themselves',
  'The night view hides buoys',
];
