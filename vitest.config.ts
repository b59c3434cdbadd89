import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import './tests/support/compiled-modules.ts';
import { filesRunLater } from './tests/support/files-with-rounds.ts';
import { sequence } from './tests/support/longest-first.ts';
import './tests/support/temporary-files.ts';
import { TallyReporter } from './tests/support/reporter.ts';

/**
 * Files share their worker, and so its modules and its browser: to load these takes longer than what most files do with
 * them. Projects run one after the other, as a worker is of one project.
 */
const shared = {
  isolate: false,
  // Most of what a test makes is waste when it ends: room for more of it means fewer collections.
  execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=32'],
  // Limits that no machine reaches, however busy it is: what may not take longer, a test says itself.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
};

export default defineConfig({
  test: {
    sequence,
    reporters: ['default', new TallyReporter()],
    // At the root, so that one PostgreSQL and one build serve every project of a run.
    globalSetup: ['./tests/support/postgres.ts', './tests/support/bundled-scripts.ts'],
    // Most tests wait for a database, a browser or a clock, so that there is room for more workers than cores.
    maxWorkers: 2 * availableParallelism(),
    projects: [
      {
        test: {
          name: 'server',
          sequence: { groupOrder: 0 },
          ...shared,
          environment: 'node',
          setupFiles: ['tests/support/file-ended.ts'],
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/e2e/**', ...filesRunLater],
        },
      },
      {
        test: {
          name: 'ui',
          sequence: { groupOrder: 2 },
          ...shared,
          environment: 'jsdom',
          include: ['tests/**/*.test.tsx'],
          exclude: [...filesRunLater],
          setupFiles: ['tests/support/ui-setup.ts'],
        },
      },
      {
        test: {
          name: 'e2e',
          sequence: { groupOrder: 1 },
          ...shared,
          environment: 'node',
          setupFiles: ['tests/support/file-ended.ts'],
          include: ['tests/e2e/**/*.test.ts'],
          exclude: [...filesRunLater],
        },
      },
    ],
  },
});
