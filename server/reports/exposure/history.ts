import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { findGaps, isAlarming } from '../../metrics/security/ref-ledger.ts';
import { Problem } from '../../platform/problem.ts';
import { listVisibleRepositories, visibleRepositories } from '../repositories/visibility.ts';
import type { RefHistory } from './schema.ts';
import { findLedger } from './source.ts';

export interface HistoryInput {
  name: string;
  ref: string;
  org?: string | undefined;
}

/** Of a branch that is committed to daily, almost three years. */
const maxObservations = 1000;

/** Where a ref led, for whoever sees a repository that has used it. */
export async function refHistory(
  { name, ref, org }: HistoryInput,
  context: Context,
): Promise<Domain<typeof RefHistory>> {
  const visible = org ? (await listVisibleRepositories(org, context)).items : await visibleRepositories(context);
  const byId = new Map(visible.map((one) => [one.id, one]));
  const ledger = await findLedger(visible, context);
  const [owner = '', repo = '', ...path] = name.split('/');
  const ofRepository = await ledger.usedOnDays({ actionKey: `${owner}/${repo}`.toLowerCase(), ref }, [...byId.keys()]);
  const used = path.length === 0 ? ofRepository : ofRepository.filter((one) => one.path === path.join('/'));
  const [first] = used;
  if (!first) throw new Problem('not_found', 'No repository that you can see has used this ref.');
  if (first.isHidden) throw new Problem('not_found', `${owner}/${repo} is private, and you cannot see it.`);
  const now = context.services.clock.now();
  const histories = await ledger.newestHistories([first.refId], maxObservations + 1);
  const newest = histories.get(first.refId) ?? [];
  const rows = newest.slice(-maxObservations);
  return {
    name: [`${owner}/${repo}`.toLowerCase(), ...path].join('/'),
    ref,
    truncated: newest.length > maxObservations,
    observations: rows.map((row) => ({
      from: row.observedFrom,
      to: row.observedTo,
      commit: row.commit,
      tagObject: row.tagObject,
      state: row.state,
      class: row.moveClass,
      alarming: isAlarming(row),
      alarm: row.alarm,
      repository: row.repository,
    })),
    gaps: findGaps(rows, now),
    usedBy: used
      .flatMap(({ repositoryId, path: usedPath, firstDay, lastDay, days }) => {
        const repository = byId.get(repositoryId);
        const repo = repository && `${repository.owner}/${repository.repo}`;
        return repo ? [{ repo, path: usedPath, firstDay, lastDay, days }] : [];
      })
      .sort((one, other) => (one.repo + one.path < other.repo + other.path ? -1 : 1)),
    generatedAt: now,
    dataSource: 'database',
  };
}
