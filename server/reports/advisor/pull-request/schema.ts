import { z } from 'zod';
import { plainText } from '../../../platform/fields.ts';
import { issueTitle } from '../../filed-issues/schema.ts';
import { instant } from '../../kernel/instants.ts';

const maxNote = 2000;
const maxFiles = 20;

/** Text of a person that stands before what the service writes. */
export const pullRequestNote = plainText
  .transform((text) => text.trim())
  .refine((text) => [...text].length <= maxNote, `is longer than ${maxNote} characters`)
  .default('')
  .meta({ description: 'Placed first, in Markdown.', override: { type: 'string', maxLength: maxNote } });

export const pullRequestTitle = issueTitle.optional().meta({
  description: 'What the commit says when not given.',
  override: { type: 'string', minLength: 1, maxLength: 256 },
});

const blobs = z
  .record(
    z.string().regex(/^\.github\/workflows\/(?!.*\.\.)[^\p{Cc}/]{1,255}$/u, 'is not the path of a workflow file'),
    z.string().regex(/^[0-9a-f]{40}$/, 'is not the id of a content'),
    'is not an object of paths and ids of contents',
  )
  .refine((blobs) => Object.keys(blobs).length > 0, 'names no file')
  .refine((blobs) => Object.keys(blobs).length <= maxFiles, `names more than ${maxFiles} files`);

/** The contents that a change was shown of, by path. */
export const baseBlobs = blobs.meta({
  description: '`base_blob` of each file of the patch that was looked at, by its path.',
});

/** The contents that a change was shown to lead to, by path. */
export const resultingBlobs = blobs.optional().meta({
  description:
    '`new_blob` of each file of the patch that was looked at: `file_changed` where the change is another now.',
});

/** A pull request with recommended changes, as it was opened. */
export const OpenedPullRequest = z
  .object({
    ok: z.literal(true),
    number: z.int(),
    html_url: z.string(),
    title: z.string(),
    branch: z.string(),
    base: z.string().meta({ description: 'The default branch.' }),
    commit: z.string(),
    ids: z.array(z.string()).meta({ description: 'Recommendations whose change is in it.' }),
    draft: z.boolean(),
    created_at: instant,
    deduplicated: z.boolean().meta({ description: 'true where it was open before.' }),
  })
  .meta({ id: 'OpenedPullRequest' });
