import { Problem } from '../../platform/problem.ts';
import { isScanPartial, scanStatus } from '../security-scan/scans.ts';
import type { ReadRepository, SecurityReading } from './reading.ts';

/** Whether there is something to scan of which nothing is known. */
export function isScanUnreadable(read: ReadRepository | null): boolean {
  const workflows = read?.workflows ?? null;
  if (workflows === null) return false;
  return workflows instanceof Problem || scanStatus(workflows.scanned.map(({ scan }) => scan)) === 'unreadable';
}

/** Whether more may be found in the workflow files of a repository than is known. */
function mayHoldMore(read: ReadRepository): boolean {
  const { workflows } = read;
  if (workflows === null) return false;
  return workflows instanceof Problem || isScanUnreadable(read) || isScanPartial(workflows.files, workflows.scanned);
}

/** What the findings of a page are of. */
export interface PageScans {
  /** Repositories of which workflow files were scanned, or that have none. */
  scanned: number;
  /** false where findings are not read, or there are repositories and none of them was scanned. */
  isKnown: boolean;
  /** More may be found: some files were not read, or not to their end. */
  isPartial: boolean;
}

export function pageScans({ repositories, online }: SecurityReading): PageScans {
  const reads = repositories.flatMap(({ read }) => (read?.workflows ? [read] : []));
  const scanned = reads.filter((read) => !isScanUnreadable(read)).length;
  return {
    scanned,
    isKnown: online !== null && (scanned > 0 || reads.length === 0),
    isPartial: reads.some(mayHoldMore),
  };
}
