import { z } from 'zod';
import { within } from '../platform/whole-number.ts';
import { setting } from './setting.ts';

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
