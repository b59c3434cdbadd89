import { isDeepStrictEqual } from 'node:util';
import { createMasker } from '../scan/masking.ts';
import { readWorkflow } from '../scan/read-workflow.ts';
import { rules } from '../scan/rules.ts';
import { findsNextStep, type Kind } from './kind.ts';
import type { ChangeSet, PatchCheck, PatchRefusal } from './patch/change.ts';
import { joinDiffs } from './patch/diff.ts';
import { type PatchResult, patchFile } from './patch/patch.ts';
import { type AdvisedRepository, type Recommendation, recommend } from './recommend.ts';

/** One file as recommendations change it. */
export interface PatchedFile {
  path: string;
  patch: NonNullable<PatchResult['patch']>;
  /** Whether its text holds a hard-coded credential; its diff never does. */
  holdsCredential: boolean;
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
  const byPath = [...Map.groupBy(chosen, ({ path }) => path)].sort(([one], [other]) => (one < other ? -1 : 1));
  const files: PatchedFile[] = [];
  const refused: RecommendedPatch['refused'] = [];
  let size = 0;
  for (const [path, ofFile] of byPath) {
    const text = repository.files.find((file) => file.path === path)?.text ?? '';
    const masked = maskerOf(repository, path, text);
    const result = patchFile({ path, text }, ofFile.map(toChangeSet), createCheck(repository, path, masked));
    refused.push(...result.refused);
    if (!result.patch) continue;
    const bytes = Buffer.byteLength(result.patch.diff);
    if (size + bytes <= maxDiffBytes) {
      size += bytes;
      files.push({ path, patch: result.patch, holdsCredential: masked(text) !== text });
    } else refused.push(...ofFile.filter(({ id }) => !result.refused.some((one) => one.id === id)).map(tooLarge));
  }
  return { files, refused };
}

/** Of all diffs together. */
const maxDiffBytes = 200 * 1024;

const tooLarge = ({ id }: Recommendation): RecommendedPatch['refused'][number] => ({
  id,
  refusal: { code: 'too_large', text: 'The patch would be larger than 200 KB.', path: null, lines: [] },
});

/** Takes hard-coded credentials of a file out of a text. */
function maskerOf({ around }: AdvisedRepository, path: string, text: string): (text: string) => string {
  const workflow = readWorkflow(path, text);
  return createMasker(
    workflow,
    rules.flatMap((rule) => [...rule.find(workflow, around)].flatMap(({ secrets }) => secrets ?? [])),
  );
}

const toChangeSet = ({ id, kind, changes }: Recommendation): ChangeSet => ({ id, kind: kind.id, changes });

function createCheck(repository: AdvisedRepository, path: string, masked: (text: string) => string): PatchCheck {
  const findings = (text: string) => {
    const workflow = readWorkflow(path, text);
    return rules.flatMap((rule) =>
      [...rule.find(workflow, repository.around)].map(({ job, step, detail }) =>
        [rule.id, job?.id, step?.number, detail?.replaceAll(refs, '')].join(' '),
      ),
    );
  };
  return {
    isGone(text, { id, kind, changes }) {
      const found = recommend({ ...repository, files: [{ path, text }] }).find((one) => one.id === id);
      return !found || (findsNextStep(kind) && !isDeepStrictEqual(found.changes, changes));
    },
    newFindings(before, after) {
      const known = new Set(findings(before));
      return findings(after).filter((finding) => !known.has(finding));
    },
    showsCredential(diff) {
      // The names of files before the first part are no part of the text.
      const shown = diff.slice(Math.max(0, diff.indexOf('\n@@')));
      return masked(shown) !== shown;
    },
  };
}

/** Of actions that findings name: with another ref they are the same findings. */
const refs = /@[^\s”]+/g;

/** The patch as a file to download. */
export const formatPatch = (
  { files }: Pick<RecommendedPatch, 'files'>,
  head: {
    repository: string;
    commit: string;
    chosen: readonly (Pick<Recommendation, 'id' | 'path' | 'line'> & { kind: Pick<Kind, 'id' | 'title'> })[];
  },
): string =>
  joinDiffs(
    {
      repository: head.repository,
      commit: head.commit,
      lines: head.chosen.map(({ id, kind, path, line }) => `${kind.id} ${id} ${kind.title}: ${path}, line ${line}`),
    },
    files.map(({ path, patch }) => ({ path, diff: patch.diff })),
  );
