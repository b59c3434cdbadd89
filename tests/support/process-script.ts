import { basename, join } from 'node:path';
import { inject } from 'vitest';

/** The file by which a script of tests is started as a process: its bundle, where there is one. */
export function processScript(script: string): string {
  const folder = inject('bundledScripts');
  return folder === null ? script : join(folder, basename(script).replace(/\.ts$/, '.js'));
}
