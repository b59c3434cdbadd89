import { z } from 'zod';
import type { HabitThresholds } from '../metrics/people/working-habits.ts';
import { within } from '../platform/fields.ts';
import type { Store } from '../store/orm.ts';
import { readSetting, setting } from './setting.ts';

/** Above these a commit or a pull request counts as oversized. */
export const workingHabits = setting({
  key: 'working_habits',
  title: 'Working habits',
  shape: z.object({
    files_per_commit: within(1, 1000),
    lines_per_commit: within(1, 100_000),
    commits_per_pr: within(1, 500),
  }),
  fallback: { files_per_commit: 20, lines_per_commit: 400, commits_per_pr: 20 },
});

/** The thresholds in effect, as the metrics name them. */
export async function habitThresholds(store: Store | null): Promise<HabitThresholds> {
  const { files_per_commit, lines_per_commit, commits_per_pr } = (await readSetting(workingHabits, store)).value;
  return { filesPerCommit: files_per_commit, linesPerCommit: lines_per_commit, commitsPerPr: commits_per_pr };
}
