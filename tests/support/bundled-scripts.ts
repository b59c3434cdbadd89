import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';
import { isThorough } from './rounds.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the bundled scripts, null where they run from their sources. */
    bundledScripts: string | null;
  }
}

const root = join(import.meta.dirname, '../..');

/** What is started and killed again and again. */
const scripts = [
  'tests/alerts/deliver-child.ts',
  'tests/alerts/digest-child.ts',
  'tests/api/sync/killed-service.ts',
  'tests/jobs/night-child.ts',
  'tests/jobs/turn-child.ts',
  'tests/store/opener.ts',
  'tests/store/upkeep.ts',
  'tests/store/writer.ts',
  'tests/sync/kill-child.ts',
  'tests/sync/pull-request-child.ts',
];

/** Processes of a few files take less from their sources than the bundle does. */
const namesFiles = process.argv.some((argument) => argument.startsWith('tests/'));

/**
 * Scripts that tests start as processes are bundled as the server is, where many files run: a process
 * that lives for a second spends a third of its processor time on finding and loading 1,400 files.
 */
export default async function setup(project: TestProject): Promise<(() => void) | undefined> {
  project.provide('bundledScripts', null);
  if (!isThorough && namesFiles) return;
  const builds = join(root, 'build');
  mkdirSync(builds, { recursive: true });
  // Beside the sources, where a process finds what is not bundled: files of SQL, and packages with files of their own.
  const folder = mkdtempSync(join(builds, 'scripts-'));
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: true, external: ['@electric-sql/pglite', 'pino'] },
    build: { ssr: true, outDir: folder, target: 'es2022', rolldownOptions: { input: scripts } },
  });
  project.provide('bundledScripts', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
