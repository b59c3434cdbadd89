import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { findGaps } from '../../metrics/security/ref-ledger.ts';
import { Problem } from '../../platform/problem.ts';
import { listVisibleRepositories, visibleRepositories } from '../repositories/visibility.ts';
import { isAlarmingFor } from './moves.ts';
import type { RefHistory } from './schema.ts';
import { findLedger } from './source.ts';

export interface HistoryInput {
  name: string;
  ref: string;
  org?: string | undefined;
}

/** Where a ref led, for whoever sees a repository that has used it. */
export async function refHistory(
  { name, ref, org }: HistoryInput,
  context: Context,
): Promise<Domain<typeof RefHistory>> {
  const visible = org ? (await listVisibleRepositories(org, context)).items : await visibleRepositories(context);
  const byId = new Map(visible.map((one) => [one.id, one]));
  const ledger = await findLedger(visible, context);
  const used = await ledger.usedOnDays({ actionKey: name.toLowerCase(), ref }, [...byId.keys()]);
  const [first] = used;
  if (!first) throw new Problem('not_found', 'No repository that you can see has used this ref.');
  const now = context.services.clock.now();
  const rows = (await ledger.histories([first.refId])).get(first.refId) ?? [];
  return {
    name: name.toLowerCase(),
    ref,
    observations: rows.map((row) => ({
      from: row.observedFrom,
      to: row.observedTo,
      commit: row.commit,
      tagObject: row.tagObject,
      state: row.state,
      class: row.moveClass,
      alarming: isAlarmingFor({ ref, isBranch: first.isBranch }, row),
    })),
    gaps: findGaps(rows, now),
    usedBy: used
      .flatMap(({ repositoryId, firstDay, lastDay, days }) => {
        const repository = byId.get(repositoryId);
        return repository ? [{ repo: `${repository.owner}/${repository.repo}`, firstDay, lastDay, days }] : [];
      })
      .sort((one, other) => (one.repo < other.repo ? -1 : 1)),
    generatedAt: now,
    dataSource: 'database',
  };
}
