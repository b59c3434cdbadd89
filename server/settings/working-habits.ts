import { z } from 'zod';
import { setting } from './setting.ts';

/** Above these a commit or a pull request counts as oversized. */
export const workingHabits = setting({
  key: 'working_habits',
  title: 'Working habits',
  shape: z.object({
    files_per_commit: z.int().min(1).max(1000),
    lines_per_commit: z.int().min(1).max(100_000),
    commits_per_pr: z.int().min(1).max(500),
  }),
  fallback: { files_per_commit: 20, lines_per_commit: 400, commits_per_pr: 20 },
});
