import type { Context } from '../../access/context.ts';
import type { ProposedChange } from '../../advisor/verdict/proposed.ts';
import { verdictSentence } from '../../advisor/verdict/sentence.ts';
import type { Domain } from '../../api/wire.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import type { StoredVerdict } from '../../store/advisor-verdicts.ts';
import { seesSecurity } from '../advisor/report.ts';
import { sampleVerdicts } from './sample.ts';
import type { Results } from './schema.ts';
import { toShortVerdict } from './short.ts';

/** A merged change with what is known of it. */
export interface JudgedChange extends StoredVerdict {
  repository: Repository;
}

/**
 * The merged changes of repositories, the newest merge first, without those of kinds that the caller may not see. The
 * caller must have proved that the repositories may be seen.
 */
export async function readVerdicts(
  repositories: readonly Repository[],
  context: Context,
): Promise<{ shown: JudgedChange[]; hiddenKinds: string[] }> {
  const byId = new Map(repositories.map((one) => [one.id, one]));
  const stored = context.isDemo
    ? await sampleVerdicts(context)
    : await context.store.advisorVerdicts.list([...byId.keys()]);
  const all = stored.flatMap((one) => {
    const repository = byId.get(one.repositoryId);
    return repository ? { ...one, repository } : [];
  });
  const mayScan = await seesSecurity(context);
  const isHidden = ({ change }: JudgedChange) => !mayScan && isSecurity(change);
  const hiddenKinds = [...new Set(all.filter(isHidden).map(({ change }) => change.kind))];
  return { shown: all.filter((one) => !isHidden(one)), hiddenKinds };
}

const isSecurity = ({ kind }: ProposedChange) => kind.startsWith('ADV-2');

/** A merged change as answers have it. */
export function toResult({
  change,
  verdict,
  pullRequest,
  commit,
  repository,
}: JudgedChange): Domain<typeof Results>['rows'][number] {
  const { owner, repo } = repository;
  const { id, kind, title, path: workflowPath } = change;
  return {
    owner,
    repo,
    id,
    kind,
    title,
    workflowPath,
    appliedBy: pullRequest ? 'pull_request' : 'other',
    pullRequest,
    commit: commit === null ? null : { sha: commit, htmlUrl: `${repository.htmlUrl}/commit/${commit}` },
    mergedAt: verdict.startAt,
    ...toShortVerdict({ change, verdict }),
    sentence: verdictSentence(verdict, change.others),
    togetherWith: (change.others ?? []).map((one) => one.id),
    href: `/repos/${owner}/${repo}/advisor/${id}`,
  };
}
