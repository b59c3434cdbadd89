import type { z } from 'zod';
import { type Panel, type PanelRequest, panel } from '../../../server/http/adapters.ts';
import { getOpenPullRequests } from '../../../server/reports/pull-requests/operations.ts';
import type { OpenPullRequestsReport } from '../../../server/reports/pull-requests/schema.ts';
import { repositoryParams } from '../links.ts';
import type { Profile } from './profile.ts';

type Report = z.output<typeof OpenPullRequestsReport>;
type OpenPullRequest = Report['open_prs'][number] & {
  repository: string;
  /** Since when the person, or whoever else has to move, is waited for. */
  since: string | null;
};

/** Open pull requests by who has to move: the person, or somebody else. */
export interface Waiting {
  /** Their own with changes requested or conflicts, and those of others that request their review. */
  forThem: OpenPullRequest[];
  /** Their own that wait for a review or a merge. */
  forOthers: OpenPullRequest[];
  /** Those of others that wait for a review by a team: who is in it is not read. */
  forTeams: number;
  read: string[];
  /** Repositories beyond those, or that could not be read. */
  unread: number;
}

/** As many as the profile reads for its questions: each repository is a request of its own. */
const maxRepositories = 5;

/** Open pull requests of the repositories that the person works in; an error where none of them may be read. */
export async function loadWaiting(request: PanelRequest, profile: Profile): Promise<Panel<Waiting> | null> {
  const all = workedIn(profile);
  const names = all.slice(0, maxRepositories);
  const answers = await Promise.all(
    names.map(async (name) => {
      const extra = { ...repositoryParams(name), bots: undefined };
      return { name, answer: await panel(getOpenPullRequests, { ...request, extra, isOptional: true }) };
    }),
  );
  const [first] = answers;
  if (!first) return null;
  const read = answers.flatMap(({ name, answer }) =>
    answer.ok ? [{ name, data: answer.data, notes: answer.notes }] : [],
  );
  if (read.length === 0 && !first.answer.ok) return first.answer;
  const unread = all.length - read.length;
  const logins = [profile.login, ...profile.linked_logins].map((one) => one.toLowerCase());
  const isTheirs = (login: string | null) => login !== null && logins.includes(login.toLowerCase());
  const open = read.flatMap(({ name, data }) =>
    data.open_prs.map((one) => ({ ...one, repository: name, since: waitsSince(one, isTheirs) })),
  );
  const byAge = open.toSorted((one, other) => (one.since ?? '').localeCompare(other.since ?? ''));
  const reviews = byAge.filter(({ author, waiting_on: on }) => on === 'reviewer' && !isTheirs(author));
  const isTheirReview = ({ requested_reviewers: requested }: OpenPullRequest) => requested.some(isTheirs);
  return {
    ok: true,
    notes: {
      partial: unread > 0 || read.some(({ data }) => data.partial),
      partialReason: null,
      stale: read.some(({ notes }) => notes.stale),
      asOf: read.flatMap(({ notes }) => notes.asOf ?? []).sort()[0] ?? null,
      source: null,
      canonicalRepo: null,
      mayLackOrganizations: false,
    },
    data: {
      forThem: byAge.filter((one) =>
        isTheirs(one.author) ? one.waiting_on === 'author' : reviews.includes(one) && isTheirReview(one),
      ),
      forOthers: byAge.filter(
        ({ author, waiting_on: on }) => isTheirs(author) && (on === 'reviewer' || on === 'merge'),
      ),
      forTeams: reviews.filter((one) => !isTheirReview(one) && one.requested_teams.length > 0).length,
      read: read.map(({ name }) => name),
      unread,
    },
  };
}

/** Since the request, where it came after the wait began: before it nobody waited for them. */
function waitsSince(
  { waiting_on: on, waiting_since: since, author, review_requests: requests }: Report['open_prs'][number],
  isTheirs: (login: string | null) => boolean,
): string | null {
  if (on !== 'reviewer' || since === null || isTheirs(author)) return since;
  const own = requests.filter(({ login }) => isTheirs(login)).map(({ requested_at: at }) => at ?? since);
  const [first = since] = own.toSorted();
  return first > since ? first : since;
}

/** Repositories of their newest pull requests and reviews first. */
const workedIn = ({ recent_prs: own, recent_reviews: reviews, repos_contributed: others }: Profile): string[] => [
  ...new Set([...[...own, ...reviews].map(({ repo_full_name: name }) => name), ...others]),
];
