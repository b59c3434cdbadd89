import { defineConfig } from 'vitest/config';
import './tests/support/compiled-modules.ts';
import { TallyReporter } from './tests/support/reporter.ts';

export default defineConfig({
  test: {
    reporters: ['default', new TallyReporter()],
    // At the root, so that one PostgreSQL serves every project of a run.
    globalSetup: ['./tests/support/postgres.ts'],
    // Most tests wait for a database or a browser, so that no core needs to be left to others.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'server',
          environment: 'node',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/e2e/**'],
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'ui',
          environment: 'jsdom',
          include: ['tests/**/*.test.tsx'],
          setupFiles: ['tests/support/ui-setup.ts'],
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['tests/e2e/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 90_000,
        },
      },
    ],
  },
});
