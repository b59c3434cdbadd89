import { readWorkflow } from '../scan/read-workflow.ts';
import { rules } from '../scan/rules.ts';
import type { ChangeSet, PatchCheck, PatchRefusal } from './patch/change.ts';
import { joinDiffs } from './patch/diff.ts';
import { type PatchResult, patchFile } from './patch/patch.ts';
import { type AdvisedRepository, type Recommendation, recommend } from './recommend.ts';

/** One file as recommendations change it. */
export interface PatchedFile {
  path: string;
  patch: NonNullable<PatchResult['patch']>;
}

export interface RecommendedPatch {
  /** By path. */
  files: PatchedFile[];
  refused: { id: string; refusal: PatchRefusal }[];
}

/**
 * The changes of some recommendations of a repository, verified: that no finding is left, that our scan finds nothing
 * new, and that nothing else differs. Pure; of changes that exclude each other the one of the lower kind is made.
 */
export function patchRecommendations(
  repository: AdvisedRepository,
  chosen: readonly Recommendation[],
): RecommendedPatch {
  const results = [...Map.groupBy(chosen, ({ path }) => path)].map(([path, ofFile]) => {
    const text = repository.files.find((file) => file.path === path)?.text ?? '';
    return { path, ...patchFile({ path, text }, ofFile.map(toChangeSet), createCheck(repository, path)) };
  });
  return {
    files: results
      .flatMap(({ path, patch }) => (patch ? [{ path, patch }] : []))
      .sort((one, other) => (one.path < other.path ? -1 : 1)),
    refused: results.flatMap(({ refused }) => refused),
  };
}

const toChangeSet = ({ id, kind, changes }: Recommendation): ChangeSet => ({ id, kind: kind.id, changes });

function createCheck(repository: AdvisedRepository, path: string): PatchCheck {
  const findings = (text: string) => {
    const workflow = readWorkflow(path, text);
    return rules.flatMap((rule) =>
      [...rule.find(workflow, repository.around)].map(({ job, step, detail }) =>
        [rule.id, job?.id, step?.number, detail].join(' '),
      ),
    );
  };
  return {
    isGone(text, { id }) {
      return !recommend({ ...repository, files: [{ path, text }] }).some((one) => one.id === id);
    },
    newFindings(before, after) {
      const known = new Set(findings(before));
      return findings(after).filter((finding) => !known.has(finding));
    },
  };
}

/** The patch as a file to download. */
export const formatPatch = (
  { files }: Pick<RecommendedPatch, 'files'>,
  head: { repository: string; commit: string; chosen: readonly Recommendation[] },
): string =>
  joinDiffs(
    {
      repository: head.repository,
      commit: head.commit,
      lines: head.chosen.map(({ id, kind, path, line }) => `${kind.id} ${id} ${kind.title}: ${path}, line ${line}`),
    },
    files.map(({ path, patch }) => ({ path, diff: patch.diff })),
  );
