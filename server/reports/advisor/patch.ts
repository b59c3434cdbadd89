import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import { formatPatch, type PatchedFile, patchRecommendations } from '../../advisor/patch-recommendations.ts';
import { reasonTexts } from '../../advisor/reasons.ts';
import type { Recommendation } from '../../advisor/recommend.ts';
import type { Domain } from '../../api/wire.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';
import { provenance } from '../kernel/instants.ts';
import { readAdvice } from './reading.ts';
import { hideSecurity, usualDays, withoutDetail } from './report.ts';

/** Changes of workflow files that recommendations come to; contract of the advisor, section 6.2. */
export const RecommendedPatch = z
  .object({
    base_commit: z.string().nullable().meta({ description: 'The commit that the files were read at.' }),
    ids: z.array(z.string()).meta({ description: 'Recommendations whose change is in it.' }),
    files: z.array(
      z.object({
        path: z.string(),
        base_blob: z.string(),
        diff: z.string().meta({ description: 'Unified, three lines of context.' }),
        new_text: z.string(),
        edits: z.array(z.object({ line: z.int(), path: z.string(), kind: z.string() })),
      }),
    ),
    refused: z
      .array(
        z.object({
          id: z.string(),
          code: z.string(),
          text: z.string(),
          path: z.string().nullable().meta({ description: 'The node of the file; null for the complete file.' }),
          lines: z.array(z.int()),
        }),
      )
      .meta({ description: 'Those whose change was not made, with the reason.' }),
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
  const advice = await readAdvice({ ...name, days: usualDays }, context, reply);
  const { shown } = await hideSecurity(advice.recommendations, context);
  const chosen = shown.filter(({ id }) => ids.includes(id));
  if (chosen.length < ids.length) throw new Problem('not_found', 'There is no such recommendation, or no longer.');
  const excluded = chosen.filter(({ reasons }) => reasons.length > 0);
  const { files, refused } = patchRecommendations(
    advice.advised,
    chosen.filter((one) => !excluded.includes(one)),
  );
  for (const { id, refusal } of refused)
    if (refusal.code === 'not_verified')
      context.services.log.error({ recommendation: id, defect: refusal.text }, 'a patch was not verified');
  const made = chosen.filter((one) => !excluded.includes(one) && refused.every(({ id }) => id !== one.id));
  const { commitSha: baseCommit } = advice.files;
  return {
    baseCommit,
    ids: made.map(({ id }) => id),
    files: files.map((file) => fileItem(file, advice.files.files)),
    refused: [...excluded.map(excludedItem), ...refused.map(({ id, refusal }) => ({ id, ...withoutDetail(refusal) }))],
    patch: formatPatch(
      { files },
      { repository: `${advice.repository.owner}/${advice.repository.repo}`, commit: baseCommit ?? '', chosen: made },
    ),
    generatedAt: advice.files.asOf,
    dataSource: 'mixed',
  };
}

/** One that is not recommended is not made either. */
const excludedItem = ({ id, reasons: [code = 'sample_too_small'] }: Recommendation) => ({
  id,
  code,
  text: reasonTexts[code],
  path: null,
  lines: [],
});

function fileItem(
  { path, patch }: PatchedFile,
  read: readonly { path: string; blobId: string; text: string | null }[],
) {
  const base = read.find((one) => one.path === path);
  const lineAt = (offset: number) => (base?.text ?? '').slice(0, offset).split('\n').length;
  return {
    path,
    baseBlob: base?.blobId ?? '',
    diff: patch.diff,
    newText: patch.text,
    edits: patch.edits.map((edit) => ({ line: lineAt(edit.offset), path: edit.path, kind: edit.kind })),
  };
}
