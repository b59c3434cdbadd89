import type { Instant } from '../../kernel/facts.ts';
import type { Day } from '../../people/workday-hours.ts';
import type { ChangeType } from '../classes.ts';
import type { PullRequestCost } from './measure-runs.ts';
import type { OutcomeKey } from './outcomes.ts';

/** A pull request of a comparison, as far as it is compared. */
export interface ComparedPullRequest {
  repository: string;
  number: number;
  /** Whether it is of the class that is compared; else it has no mark. */
  isMarked: boolean;
  /** Tells people apart, for the number of them alone; null for a bot and a deleted account. */
  author: string | null;
  createdAt: Instant;
  /** `YYYY-MM` of its creation. */
  month: string;
  /** Those of one stratum are compared with each other only. */
  stratum: string;
  /** What happened to one of a cluster may have happened to all of it. */
  cluster: string;
  /** Days since Monday. */
  weekday: number;
  /** Added and removed. */
  lines: number;
  changedFiles: number;
  /** Pull requests of the repository that were open when it was created. */
  openPullRequests: number;
  /** Shares from 0 to 1; null where it is not known. */
  outcomes: Readonly<Record<OutcomeKey, number | null>>;
  /** null where it is not known. */
  cost: PullRequestCost | null;
}

/** What is compared as a whole or not at all: a repository in a month. */
export const cellOf = ({ repository, month }: Pick<ComparedPullRequest, 'repository' | 'month'>): string =>
  JSON.stringify([repository, month]);

/** By what pull requests are alike; contract of the three answers, section 3.5. */
export interface StratumParts {
  repository: string;
  /** `YYYY-MM` of the creation. */
  month: string;
  type: ChangeType;
  /** Whether the author had ten pull requests merged in the repository before; null where that is not compared. */
  isExperienced: boolean | null;
}

export const stratumOf = ({ repository, month, type, isExperienced }: StratumParts): string =>
  JSON.stringify([repository, month, type, isExperienced]);

/** The repository in the ISO week of the creation, by its Monday. */
export const clusterOf = (repository: string, monday: Day): string => JSON.stringify([repository, monday]);
