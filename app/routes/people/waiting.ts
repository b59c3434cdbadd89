import type { z } from 'zod';
import { type Panel, type PanelRequest, panel } from '../../../server/http/adapters.ts';
import { getOpenPullRequests } from '../../../server/reports/pull-requests/operations.ts';
import type { OpenPullRequestsReport } from '../../../server/reports/pull-requests/schema.ts';
import { repositoryParams } from '../links.ts';
import type { Profile } from './profile.ts';

type Report = z.output<typeof OpenPullRequestsReport>;
type OpenPullRequest = Report['open_prs'][number] & { repository: string };

/** Open pull requests by who has to move: the person, or somebody else. */
export interface Waiting {
  /** Their own with changes requested or conflicts, and those of others that request their review. */
  forThem: OpenPullRequest[];
  /** Their own that wait for a review or a merge. */
  forOthers: OpenPullRequest[];
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
  const read = answers.flatMap(({ name, answer }) => (answer.ok ? [{ name, data: answer.data }] : []));
  if (read.length === 0 && !first.answer.ok) return first.answer;
  const open = read.flatMap(({ name, data }) => data.open_prs.map((one) => ({ ...one, repository: name })));
  const unread = all.length - read.length;
  const logins = [profile.login, ...profile.linked_logins].map((one) => one.toLowerCase());
  const isTheirs = (login: string | null) => login !== null && logins.includes(login.toLowerCase());
  const byAge = open.toSorted((one, other) => (one.waiting_since ?? '').localeCompare(other.waiting_since ?? ''));
  return {
    ok: true,
    notes: {
      partial: unread > 0 || read.some(({ data }) => data.partial),
      partialReason: null,
      stale: false,
      asOf: null,
      source: null,
      canonicalRepo: null,
    },
    data: {
      forThem: byAge.filter((one) =>
        isTheirs(one.author)
          ? one.waiting_on === 'author'
          : one.waiting_on === 'reviewer' && one.requested_reviewers.some(isTheirs),
      ),
      forOthers: byAge.filter(
        ({ author, waiting_on: on }) => isTheirs(author) && (on === 'reviewer' || on === 'merge'),
      ),
      read: read.map(({ name }) => name),
      unread,
    },
  };
}

/** Repositories of their newest pull requests and reviews first. */
const workedIn = ({ recent_prs: own, recent_reviews: reviews, repos_contributed: others }: Profile): string[] => [
  ...new Set([...[...own, ...reviews].map(({ repo_full_name: name }) => name), ...others]),
];
