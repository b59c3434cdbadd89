import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { AdvisedChanges, AdvisedItem } from '../../advisor/advise.ts';
import { formatPatch, type PatchedFile } from '../../advisor/patch-recommendations.ts';
import { blobId, branchName, headline } from '../../advisor/pull-request/names.ts';
import { reasonTexts } from '../../advisor/reasons.ts';
import type { Domain } from '../../api/wire.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';
import { provenance } from '../kernel/instants.ts';
import { Effect, toEffect } from './effect.ts';
import { describeChanges } from './pull-request/texts.ts';
import { type Advice, readAdvice } from './reading.ts';
import { asShown, showsCost, withoutDetail } from './report.ts';

/** Changes of workflow files that recommendations come to; contract of the advisor, section 6.2. */
export const RecommendedPatch = z
  .object({
    base_commit: z.string().nullable().meta({ description: 'The commit that the files were read at.' }),
    ids: z.array(z.string()).meta({ description: 'Recommendations whose change is in it.' }),
    files: z.array(
      z.object({
        path: z.string(),
        base_blob: z.string(),
        new_blob: z.string().meta({ description: 'The id of the content with the change.' }),
        diff: z.string().meta({ description: 'Unified, three lines of context.' }),
        new_text: z.string().nullable().meta({
          description: 'null where the file holds a hard-coded credential, which is not repeated; the diff applies.',
        }),
        edits: z.array(z.object({ line: z.int(), path: z.string(), kind: z.string() })),
      }),
    ),
    refused: z
      .array(
        z.object({
          id: z.string(),
          refusal: z.object({
            code: z.string(),
            text: z.string(),
            path: z.string().nullable().meta({ description: 'The node of the file; null for the complete file.' }),
            lines: z.array(z.int()),
          }),
        }),
      )
      .meta({ description: 'Those whose change was not made, with the reason.' }),
    pull_request: z
      .object({
        branch: z.string(),
        base: z.string(),
        title: z.string(),
        body: z.string().meta({ description: 'Markdown.' }),
        is_off: z.boolean().meta({ description: 'true: the settings do not allow to open pull requests.' }),
        draft: z.boolean().meta({ description: 'Whether a draft is opened unless its author says otherwise.' }),
      })
      .meta({
        description: 'What a pull request with these changes would say, as `POST /api/advisor/pull-request` opens it.',
      }),
    checks: z
      .object({
        finding_gone: z.literal(true),
        new_findings: z.literal(0),
        only_intended: z.literal(true),
        parses: z.literal(true),
        idempotent: z.literal(true),
      })
      .meta({ description: 'What was verified; a change that fails one of them is refused.' }),
    effect: Effect.meta({
      description: 'Of the changes whose effect is predicted, together, of the minutes of the workflows they change.',
    }),
    cost_hidden: z.boolean(),
    patch: z.string().meta({ description: 'All of it as a file that `git apply` reads.' }),
    ...provenance,
  })
  .meta({ id: 'RecommendedPatch' });

/** The patch of some recommendations. Each is verified before it is shown; one that is not is logged as our defect. */
export async function recommendedPatch(
  { ids, ...name }: RepositoryName & { ids: readonly string[] },
  context: Context,
  reply: Reply,
): Promise<Domain<typeof RecommendedPatch>> {
  const advice = await readAdvice(name, { ...(await asShown(context)), chosen: ids }, context, reply);
  const chosen = advice.recommendations.filter(({ id }) => ids.includes(id));
  if (chosen.length < ids.length) throw new Problem('not_found', 'There is no such recommendation, or no longer.');
  const { made, files, refusals } = choosePatch(advice.changes, chosen, context);
  const { commitSha: baseCommit } = advice.files;
  const mayCost = await showsCost(context);
  return {
    baseCommit,
    ids: made.map(({ id }) => id),
    files: files.map((file) => fileItem(file, advice.files.files)),
    refused: refusals,
    effect: effectOf(made, advice, mayCost),
    costHidden: !mayCost,
    pullRequest: toPullRequest(advice, made, files, { context, mayCost }),
    checks: { findingGone: true, newFindings: 0, onlyIntended: true, parses: true, idempotent: true },
    patch: formatPatch(
      { files },
      { repository: `${advice.repository.owner}/${advice.repository.repo}`, commit: baseCommit ?? '', chosen: made },
    ),
    generatedAt: advice.files.asOf,
    dataSource: 'mixed',
  };
}

/** Of security no number is meant, so that none is missing. */
function effectOf(made: readonly AdvisedItem[], { changes }: Advice, mayCost: boolean): Domain<typeof Effect> {
  const effect = toEffect(changes.together, mayCost);
  return made.every(({ kind }) => kind.certainty === 'risk') ? { ...effect, reason: null } : effect;
}

/** The changes that can be made of those that were chosen. Throws `patch_refused` where none can be. */
export function choosePatch(
  { files, refused }: Pick<AdvisedChanges, 'files' | 'refused'>,
  chosen: readonly AdvisedItem[],
  { services: { log } }: Context,
) {
  const excluded = chosen.filter(({ reasons }) => reasons.length > 0);
  const offered = chosen.filter((one) => !excluded.includes(one));
  for (const { id, refusal } of refused)
    if (refusal.code === 'not_verified')
      log.error({ recommendation: id, defect: refusal.text }, 'a patch was not verified');
  const made = offered.filter((one) => refused.every(({ id }) => id !== one.id));
  const refusals = [
    ...excluded.map(excludedItem),
    ...refused.map(({ id, refusal }) => ({ id, refusal: withoutDetail(refusal) })),
  ];
  if (files.length === 0 && refusals.length > 0) throw allRefused(refusals);
  return { made, files, refusals };
}

/** One that is not recommended is not made either. */
const excludedItem = ({ id, reasons: [code = 'sample_too_small'] }: AdvisedItem) => ({
  id,
  refusal: { code, text: reasonTexts[code], path: null, lines: [] },
});

/** None of what was chosen can be made. */
const allRefused = (refusals: readonly { id: string; refusal: { code: string; text: string } }[]) =>
  new Problem('patch_refused', 'None of these changes can be made.', {
    details: { refused: refusals.map(({ id, refusal: { code, text } }) => ({ id, code, text })) },
  });

function toPullRequest(
  advice: Advice,
  made: readonly AdvisedItem[],
  files: readonly PatchedFile[],
  about: { context: Context; mayCost: boolean },
) {
  const blobs = files.map(({ path }) => [path, blobIdOf(path, advice.files.files)] as const);
  return {
    branch: branchName(
      made.map(({ id }) => id),
      made.length === 1 ? (made[0]?.kind ?? null) : null,
      Object.fromEntries(blobs),
    ),
    base: advice.repository.defaultBranch ?? '',
    title: headline(made),
    body: describeChanges(advice, made, about),
    isOff: !advice.settings.pull_requests,
    draft: advice.settings.draft_default,
  };
}

const blobIdOf = (path: string, read: readonly { path: string; blobId: string }[]): string =>
  read.find((one) => one.path === path)?.blobId ?? '';

function fileItem(
  { path, patch, holdsCredential }: PatchedFile,
  read: readonly { path: string; blobId: string; text: string | null }[],
) {
  const base = read.find((one) => one.path === path);
  const lineAt = (offset: number) => (base?.text ?? '').slice(0, offset).split('\n').length;
  return {
    path,
    baseBlob: base?.blobId ?? '',
    newBlob: blobId(patch.text),
    diff: patch.diff,
    newText: holdsCredential ? null : patch.text,
    edits: patch.edits.map((edit) => ({ line: lineAt(edit.offset), path: edit.path, kind: edit.kind })),
  };
}
