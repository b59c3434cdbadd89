import { type PatchedFile, patchRecommendations } from '../../server/advisor/patch-recommendations.ts';
import { type AdvisedRepository, recommend } from '../../server/advisor/recommend.ts';
import { anAdvisedRepository } from './histories.ts';

const path = '.github/workflows/ci.yml';

/** A file as the recommendations of one kind change it, verified; the codes of what was refused otherwise. */
export function patchWith(kind: string, text: string, parts: Partial<AdvisedRepository> = {}) {
  const repository = anAdvisedRepository({ files: [{ path, text }], workflowIds: new Map([[path, 7001]]), ...parts });
  const chosen = recommend(repository).filter((one) => one.kind.id === kind && one.reasons.length === 0);
  const { files, refused } = patchRecommendations(repository, chosen);
  return { diff: changedLines(files), refused: refused.map(({ refusal }) => refusal.code) };
}

/** The removed and added lines. */
const changedLines = (files: readonly PatchedFile[]): string[] =>
  files.flatMap(({ patch }) => patch.diff.split('\n').filter((line) => /^[-+](?![-+])/.test(line)));
