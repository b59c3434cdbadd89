import type { Codehost } from '../codehost/client/client.ts';
import type { LiveWorkflowRun, RepositoryName } from '../metrics/kernel/facts.ts';
import type { Pass } from './cursor.ts';

interface Reading {
  codehost: Codehost;
  name: RepositoryName;
  pages: number;
  mayContinue(): boolean;
  /** Keeps a page, together with where to go on after it. */
  take(runs: LiveWorkflowRun[], rest: Pass): Promise<void>;
}

/**
 * Reads a pass page by page until it reaches its start, the pages are used up, or time is. Each page begins at the
 * oldest run of the one before, not at a page number: runs that are deleted meanwhile would shift those.
 */
export async function readPass(
  pass: Pass,
  reading: Reading,
): Promise<{ pages: number; ended: boolean; unread: number }> {
  const { codehost, name, mayContinue, take } = reading;
  let rest = pass;
  let pages = 0;
  let unread = 0;
  while (pages < reading.pages && mayContinue()) {
    const {
      runs,
      totalCount,
      unread: unreadHere,
    } = await codehost.runs.window(name, rest.from, rest.readDownTo, rest.page);
    pages++;
    unread += unreadHere;
    const isLast = runs.length + unreadHere === 0 || rest.page * pageSize >= totalCount;
    if (!isLast) rest = below(rest, runs);
    await take(runs, rest);
    if (isLast || rest.readDownTo < second(rest.from)) return { pages, ended: true, unread };
  }
  return { pages, ended: false, unread };
}

const pageSize = 100;
/** Pages that one filtered list of the platform can give. */
const listPages = 10;

/** What is left of a pass after a page of it. Both ends of a window are full seconds, and belong to it. */
function below(pass: Pass, runs: LiveWorkflowRun[]): Pass {
  const oldest = Math.min(...runs.map((run) => run.createdAt));
  if (runs.length > 0 && second(oldest) < second(pass.readDownTo)) return { ...pass, readDownTo: oldest, page: 1 };
  if (pass.page < listPages) return { ...pass, page: pass.page + 1 };
  return { ...pass, readDownTo: second(pass.readDownTo) - 1000, page: 1 };
}

const second = (instant: number) => Math.floor(instant / 1000) * 1000;
