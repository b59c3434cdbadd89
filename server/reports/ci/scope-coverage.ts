import type { Instant } from '../../metrics/kernel/facts.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import { type Covered, findExclusion, toRepositoryCoverage } from '../kernel/repository-coverage.ts';
import type { StoredWindows } from '../kernel/stored-coverage.ts';
import type { CiScope, StoredScope } from './reading.ts';

interface Stored {
  stored: StoredWindows;
  window: Window;
  now: Instant;
}

/** Of which repositories of a scope runs are counted: of each synchronized one, as far as they are stored. */
export const coverRuns = (scope: CiScope, { stored, window, now }: Stored) =>
  cover(scope, (id) => {
    const reason = findExclusion(stored.get(id), window, now);
    return { included: reason !== 'not_yet_read', reason };
  });

/** The same for pull requests, which count where they are stored from the begin of the window on. */
export const coverPullRequests = (scope: CiScope, { stored, window, now }: Stored) =>
  cover(scope, (id) => {
    const reason = findExclusion(stored.get(id), window, now);
    return { included: reason === null || reason === 'end_missing', reason };
  });

/** Of what counts only where all of the window is stored. */
export const coverWhole = (scope: StoredScope, { stored, window, now }: Stored) =>
  cover(scope, (id) => {
    const reason = findExclusion(stored.get(id), window, now);
    return { included: reason === null, reason };
  });

/** Of which repositories of a scope something is counted, as `judge` says of each of its stored ones. */
export function cover({ repositories, unsynced, visible }: StoredScope, judge: (id: number) => Covered) {
  const known = [...repositories.values()].map(({ id, name }) => ({ repo: name, ...judge(id) }));
  const others = unsynced.map((repo) => ({ repo, included: false, reason: 'not_synced' as const }));
  const all = [...known, ...others].sort((a, b) => a.repo.localeCompare(b.repo, 'en'));
  return {
    coverage: toRepositoryCoverage({ repositories: all, isListTruncated: visible === null }),
    repositories: all,
  };
}
