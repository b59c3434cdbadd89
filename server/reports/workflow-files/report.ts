import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { WorkflowChange } from '../../codehost/workflow-changes/client.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { createPeople, type People } from '../../metrics/people/people.ts';
import { instant } from '../kernel/instants.ts';
import { noteCanonicalName, noteListing } from '../kernel/notes.ts';

/** A commit that changed workflow files; contract of the platform half, section 2.14. */
export const WorkflowChangeItem = z
  .object({
    sha: z.string(),
    message: z.string().meta({ description: 'First line.' }),
    html_url: z.string(),
    author_login: z.string().nullable().meta({ description: 'null where no account belongs to the commit.' }),
    author_name: z.string().nullable().meta({ description: 'As git has it, without an address.' }),
    author_avatar: z.string().nullable(),
    is_bot: z.boolean().nullable().meta({ description: 'null where its author could not be read.' }),
    committer_login: z.string().nullable().meta({ description: 'As git has it: GitHub itself for its merges.' }),
    date: instant.meta({ description: "The author's; it can be old or made up." }),
    committed_at: instant,
    verified: z.boolean().nullable().meta({ description: 'false without a signature, null when it was not checked.' }),
    via_pr: z.int().nullable(),
    file_path: z.string().nullable().meta({ description: 'The first of `file_paths`; null when they are not known.' }),
    file_paths: z.array(z.string()).meta({ description: 'Workflow files alone; a renamed one under both names.' }),
    changes: z
      .array(z.object({ path: z.string(), change: z.enum(['added', 'modified', 'removed']) }))
      .nullable()
      .meta({ description: 'Status of each file; null when not reported by GitHub.' }),
  })
  .meta({ id: 'WorkflowChangeItem' });

/** Commits of the default branch that changed workflow files, the newest first, deleted files included. */
export async function workflowChanges(
  { limit, ...name }: RepositoryName & { limit: number },
  context: Context,
  reply: Reply,
): Promise<Domain<typeof WorkflowChangeItem>[]> {
  const codehost = await context.codehost();
  const listing = await codehost.workflowChanges(name, limit);
  noteListing(reply, listing);
  if (listing.totalCount !== null) reply.headers.set('X-Total-Count', String(listing.totalCount));
  noteCanonicalName(reply, codehost, name);
  const people = createPeople([], context.services.env.BOT_LOGINS);
  return listing.items.map((change) => changeItem(change, people));
}

function changeItem(change: WorkflowChange, people: People): Domain<typeof WorkflowChangeItem> {
  const { author, authorName, files } = change;
  const paths = (files ?? []).map(({ path }) => path);
  return {
    ...change,
    authorLogin: author?.login ?? null,
    authorName: authorName === '' ? null : authorName,
    authorAvatar: author?.avatarUrl || null,
    isBot: change.isAuthorUnread ? null : people.isBotAuthor(change),
    committerLogin: change.committer?.login ?? null,
    date: change.authoredAt,
    viaPr: change.pullRequest,
    filePath: paths[0] ?? null,
    filePaths: paths,
    changes: files,
  };
}
