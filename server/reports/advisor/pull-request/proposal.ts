import type { Context } from '../../../access/context.ts';
import type { Predicted } from '../../../advisor/effects.ts';
import { type PatchedFile, patchRecommendations } from '../../../advisor/patch-recommendations.ts';
import { type AdvisedRepository, recommend } from '../../../advisor/recommend.ts';
import type { PullRequestBase } from '../../../codehost/pull-requests/base.ts';
import { invalidRequest, Problem } from '../../../platform/problem.ts';
import { choosePatch } from '../patch.ts';
import { type Advice, judge } from '../reading.ts';
import { hideSecurity } from '../report.ts';

/** The changes as they are to be committed. */
export interface Proposal {
  chosen: Predicted[];
  files: PatchedFile[];
}

interface Choice {
  ids: readonly string[];
  base_blobs: Readonly<Record<string, string>>;
}

/**
 * The changes of the files as they are now. Throws `file_changed` where they are others than those that were looked at,
 * with the change of what they are; `not_found`, and `patch_refused` where none of the changes can be made.
 */
export async function propose(
  choice: Choice,
  base: PullRequestBase,
  advice: Advice,
  context: Context,
): Promise<Proposal> {
  const paths = Object.keys(choice.base_blobs);
  const isKnown = paths.every((path) => isSameBlob(path, base, advice));
  const advised = isKnown ? advice.advised : withFilesOf(base, paths, advice.advised);
  const all = isKnown
    ? advice.recommendations
    : judge(advised, recommend(advised), advice.files.visibility, context).recommendations;
  const { shown } = await hideSecurity(all, context);
  const found = shown.filter(({ id }) => choice.ids.includes(id));
  if (paths.some((path) => base.files.get(path)?.blobId !== choice.base_blobs[path]))
    throw fileChanged(found, base, advised);
  if (found.length < choice.ids.length)
    throw new Problem('not_found', 'There is no such recommendation, or no longer.');
  const unnamed = found.find(({ path }) => !paths.includes(path));
  if (unnamed)
    throw invalidRequest([{ field: 'base_blobs', reason: 'missing', message: `base_blobs has no ${unnamed.path}.` }]);
  const { made, files } = choosePatch(advised, found, context);
  return { chosen: made, files };
}

const isSameBlob = (path: string, base: PullRequestBase, { files }: Advice): boolean =>
  files.files.find((file) => file.path === path)?.blobId === base.files.get(path)?.blobId;

/** The repository with these files as they were read just now. */
function withFilesOf(base: PullRequestBase, paths: readonly string[], advised: AdvisedRepository): AdvisedRepository {
  const read = paths.flatMap((path) => {
    const text = base.files.get(path)?.text ?? null;
    return text === null ? [] : { path, text };
  });
  return { ...advised, files: [...advised.files.filter(({ path }) => !paths.includes(path)), ...read] };
}

function fileChanged(found: readonly Predicted[], base: PullRequestBase, advised: AdvisedRepository): Problem {
  const stillFound = found.filter(({ reasons }) => reasons.length === 0);
  const { files } = patchRecommendations(advised, stillFound);
  return new Problem('file_changed', 'A workflow file has changed since the change was shown. Nothing was written.', {
    details: {
      files: files.map(({ path, patch }) => ({
        path,
        base_blob: base.files.get(path)?.blobId ?? '',
        diff: patch.diff,
      })),
      still_found: stillFound.map(({ id }) => id),
    },
  });
}
