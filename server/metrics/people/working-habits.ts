import type { Actor, Instant } from '../kernel/facts.ts';
import { type Metric, metric, type Verdict } from '../kernel/metric.ts';
import type { Author, People } from './people.ts';
import { isOutsideWorkday, type Workday } from './workload.ts';

/** Above these something counts as oversized; one that has exactly as many does not. */
export interface HabitThresholds {
  filesPerCommit: number;
  linesPerCommit: number;
  commitsPerPr: number;
}

/** How much a commit changes; null where the platform did not report it. */
export interface CommitSize {
  files: number | null;
  /** Added and removed together. */
  lines: number | null;
}

export type Measured = { [Part in keyof CommitSize]: number };

export const isMeasured = <Size extends CommitSize>(size: Size): size is Size & Measured =>
  size.files !== null && size.lines !== null;

export const isOversized = ({ files, lines }: Measured, { filesPerCommit, linesPerCommit }: HabitThresholds): boolean =>
  files > filesPerCommit || lines > linesPerCommit;

/** A commit of a merged pull request. */
export interface MergedCommit extends Author {
  /** Who opened the pull request; null for a deleted account. */
  prAuthor: Actor | null;
  authoredAt: Instant;
  isMerge: boolean;
  additions: number | null;
  deletions: number | null;
  changedFiles: number | null;
}

/** Share of the commits of people's merged pull requests that are oversized, of those whose size is known. */
export function oversizedCommitShare(thresholds: HabitThresholds, people: People): Metric<MergedCommit> {
  return metric({
    key: 'oversized_commit_pct',
    label: 'Oversized commits',
    unit: 'percent',
    better: 'lower',
    source: 'measured commits of merged pull requests',
    definition: `Commits that change more than ${thresholds.filesPerCommit} files or ${thresholds.linesPerCommit} lines, as a share of commits with known size in merged pull requests. Excludes merges and bots.`,
    counts: (commit) => {
      const verdict = countsAsWork(commit, people);
      if (verdict !== true) return verdict;
      return isMeasured(toCommitSize(commit)) || 'its size is not known';
    },
    share: (commit) => {
      const size = toCommitSize(commit);
      return isMeasured(size) && isOversized(size, thresholds);
    },
  });
}

/** Share of the commits of people's merged pull requests written after hours on workdays, or on a weekend. */
export function afterHoursCommitShare(workday: Workday, people: People): Metric<MergedCommit> {
  return metric({
    key: 'afterhours_commit_pct',
    label: 'Commits outside the workday',
    unit: 'percent',
    better: 'lower',
    source: 'commits of merged pull requests',
    definition:
      'Share of commits in merged pull requests written after hours or on a weekend. Excludes merges and bots.',
    counts: (commit) => countsAsWork(commit, people),
    share: ({ authoredAt }) => isOutsideWorkday(authoredAt, workday),
  });
}

function countsAsWork(commit: MergedCommit, people: People): Verdict {
  if (commit.isMerge) return 'a merge commit';
  if (people.isBotAuthor(commit)) return 'by a bot';
  return !people.isBot(commit.prAuthor) || 'in a pull request of a bot';
}

export const toCommitSize = ({ additions, deletions, changedFiles }: MergedCommit): CommitSize => ({
  files: changedFiles,
  lines: additions === null || deletions === null ? null : additions + deletions,
});
