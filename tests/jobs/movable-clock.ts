import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Clock } from '../../server/platform/clock.ts';

/** A clock that runs like every clock, but is set by what a file says: by one process for several. */
export const clockOf = (file: string): Clock => ({ now: () => Date.now() + Number(readFileSync(file, 'utf8')) });

/** Sets it to an instant, from which it runs on. The file is replaced at once, so that nobody reads an empty one. */
export function setClock(file: string, instant: number): void {
  const next = `${file}.next`;
  writeFileSync(next, String(instant - Date.now()));
  renameSync(next, file);
}
