import type { Context } from '../../../access/context.ts';
import type { AdvisedChanges, AdvisedItem } from '../../../advisor/advise.ts';
import type { PatchedFile } from '../../../advisor/patch-recommendations.ts';
import { blobId } from '../../../advisor/pull-request/names.ts';
import type { AdvisedRepository } from '../../../advisor/recommend.ts';
import { isMeasured, type ProposedChange, toProposed } from '../../../advisor/verdict/proposed.ts';
import type { PullRequestBase } from '../../../codehost/pull-requests/base.ts';
import { invalidRequest, Problem } from '../../../platform/problem.ts';
import { isExact } from '../gather.ts';
import { choosePatch } from '../patch.ts';
import type { Advice } from '../reading.ts';
import { asShown } from '../report.ts';
import { adviseAgain } from '../thread.ts';

/** The changes as they are to be committed. */
export interface Proposal {
  chosen: AdvisedItem[];
  files: PatchedFile[];
  changes: AdvisedChanges;
  /** The chosen ones as they are stored with the pull request. */
  proposed: ProposedChange[];
}

interface Choice {
  ids: readonly string[];
  base_blobs: Readonly<Record<string, string>>;
  /** What the files were to be afterwards, by path; undefined where nobody says. */
  resulting_blobs?: Readonly<Record<string, string>> | undefined;
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
  const { advised, recommendations, changes } = await adviceFor(choice, base, advice, context);
  const found = recommendations.filter(({ id }) => choice.ids.includes(id));
  if (paths.some((path) => base.files.get(path)?.blobId !== choice.base_blobs[path])) {
    const chosen = found.filter(({ reasons }) => reasons.length === 0);
    const text = 'A workflow file has changed since the change was shown. Nothing was written.';
    throw fileChanged(text, { chosen, files: changes.files }, base);
  }
  if (found.length < choice.ids.length)
    throw new Problem('not_found', 'There is no such recommendation, or no longer.');
  const unnamed = found.find(({ path }) => !paths.includes(path));
  if (unnamed)
    throw invalidRequest([{ field: 'base_blobs', reason: 'missing', message: `base_blobs has no ${unnamed.path}.` }]);
  const { made, files } = choosePatch(changes, found, context);
  const texts = new Map(advised.files.map(({ path, text }) => [path, text]));
  const proposed = made.map((one) => {
    const change = toProposed(one, texts.get(one.path) ?? '');
    const jointly = isMeasured(change) && changes.jointly.get(one.workflowId ?? 0);
    return jointly ? { ...change, jointly } : change;
  });
  const proposal = { chosen: made, files, changes, proposed };
  if (!isAsShown(proposal, choice))
    throw fileChanged('The change is no longer the one that was shown. Nothing was written.', proposal, base);
  return proposal;
}

/** Of the same contents a change may differ: it depends on history and on releases of actions, too. */
function isAsShown({ chosen, files }: Proposal, { ids, resulting_blobs: resulting }: Choice): boolean {
  if (resulting === undefined) return true;
  const isSame = files.every(({ path, patch }) => resulting[path] === blobId(patch.text));
  return isSame && files.length === Object.keys(resulting).length && chosen.length === ids.length;
}

/** What is recommended for the files as they were read just now. */
async function adviceFor(choice: Choice, base: PullRequestBase, advice: Advice, context: Context) {
  const paths = Object.keys(choice.base_blobs);
  if (paths.every((path) => isSameBlob(path, base, advice))) return advice;
  const { pricing } = advice;
  const advised = withFilesOf(base, paths, advice.advised);
  const question = { ...(await asShown(context)), pricing, chosen: choice.ids, dismissed: null };
  return { advised, ...(await adviseAgain(advised, question, context)) };
}

const isSameBlob = (path: string, base: PullRequestBase, { files }: Advice): boolean =>
  files.files.find((file) => file.path === path)?.blobId === base.files.get(path)?.blobId;

/** The repository with these files as they were read just now. */
function withFilesOf(base: PullRequestBase, paths: readonly string[], advised: AdvisedRepository): AdvisedRepository {
  const read = paths.flatMap((path) => {
    const file = base.files.get(path);
    return file?.text != null && isExact(file) ? { path, text: file.text } : [];
  });
  return { ...advised, files: [...advised.files.filter(({ path }) => !paths.includes(path)), ...read] };
}

/** The error of what is no longer as it was shown, with the change as it is now. */
export const fileChanged = (
  text: string,
  { chosen, files }: Pick<Proposal, 'chosen' | 'files'>,
  base: PullRequestBase,
): Problem =>
  new Problem('file_changed', text, {
    details: {
      files: files.map(({ path, patch }) => ({
        path,
        base_blob: base.files.get(path)?.blobId ?? '',
        new_blob: blobId(patch.text),
        diff: patch.diff,
      })),
      still_found: chosen.map(({ id }) => id),
    },
  });
