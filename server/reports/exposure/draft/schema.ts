import { z } from 'zod';
import { usedKinds } from '../../../scan/action-uses.ts';
import { instant } from '../../kernel/instants.ts';
import { matchTypes } from '../verdict/suspect.ts';
import { ignoredReasons } from './draft-suspect.ts';

export const draftInput = z.object({
  text: z
    .string()
    .min(1)
    .max(60 * 1024)
    .meta({ description: 'The id of an advisory, its JSON or its text. Nothing of it is run, or used as an address.' }),
});

/** What a pasted advisory says was compromised; contract of the three answers, section 1.2. */
export const ExposureDraft = z
  .object({
    suspects: z.array(
      z.object({
        kind: z.enum(usedKinds).nullable(),
        name: z.string(),
        match: z.array(z.object({ type: z.enum(matchTypes), value: z.string().nullable() })),
        window: z.object({ from: instant.nullable(), to: instant.nullable() }),
        source: z.object({
          type: z.enum(['typed', 'advisory']),
          id: z.string().nullable(),
          url: z.string().nullable(),
        }),
      }),
    ),
    ignored: z.array(z.object({ text: z.string(), reason: z.enum(ignoredReasons) })).meta({
      description:
        'What is not used. no_action: a package of another kind. no_name: commits or versions near no name. possible_fix: what is given as a fix, and commits that are only linked. unreadable_range: versions that cannot be compared. image: an image, which is searched by itself. short_sha: the beginning of a SHA, which other commits may share.',
    }),
    advisory: z
      .object({
        id: z.string(),
        summary: z.string(),
        severity: z.string(),
        published_at: instant.nullable(),
        withdrawn_at: instant.nullable(),
        url: z.string().nullable(),
      })
      .nullable(),
    warnings: z
      .array(
        z.enum([
          'begins_before_publication',
          'was_withdrawn',
          'tags_may_have_moved',
          'commits_may_be_incomplete',
          'nothing_understood',
        ]),
      )
      .meta({
        description:
          'begins_before_publication: an advisory does not tell when the compromise began: 90 days before it are proposed, and the question has no begin, since what ran before one counts as not affected. was_withdrawn: that ends no compromise either, so the question has no end. tags_may_have_moved: versions say nothing of tags that were moved: without a range every ref is searched. commits_may_be_incomplete: a text need not list all commits, and may list that of a fix: without them every ref is searched.',
      }),
    question: z
      .object({
        name: z.string(),
        kind: z.enum(usedKinds).nullable(),
        range: z.string().nullable(),
        from: instant.nullable(),
        to: instant.nullable(),
      })
      .nullable()
      .meta({
        description:
          'The same as parameters of the search, without the times: what ran outside of these counts as not affected, and a text may name that of the detection.',
      }),
  })
  .meta({ id: 'ExposureDraft' });
