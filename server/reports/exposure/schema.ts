import { z } from 'zod';
import { moveAlarms, moveClasses, refStates } from '../../metrics/security/ref-ledger.ts';
import { usedKinds } from '../../scan/action-uses.ts';
import { unknownReasons } from '../../scan/used-in-turn.ts';
import { instant, provenance } from '../kernel/instants.ts';

export const actionKinds = usedKinds;
export const pins = [
  'sha',
  'immutable',
  'version_tag',
  'minor_tag',
  'major_tag',
  'tag',
  'branch',
  'digest',
  'image_tag',
] as const;
export const actionSorts = ['alarming', 'name', 'repositories', 'workflows'] as const;
export const publishers = ['platform', 'own', 'third_party'] as const;

const moveClass = z
  .enum(moveClasses)
  .nullable()
  .meta({
    description:
      'forward: the previous commit is an ancestor. rewritten: it is not, or the name passed to another repository. ' +
      'gone: the ref was deleted. back: to a commit where it was before. null: not compared yet.',
  });
const alarming = z.boolean().nullable().meta({
  description: 'Not what maintainers do; alarm says why. null: not compared yet.',
});
const alarm = z
  .enum(moveAlarms)
  .nullable()
  .meta({
    description:
      'other_repository: the name passed to another repository. immutable_release: the tag was that of an immutable ' +
      'release. full_version: a tag of a full version (x.y.z) moved. rewritten: the previous commit is not an ' +
      'ancestor. returned: returned to a commit that an alarming move led to. on_no_branch: no branch leads to the new ' +
      'commit. none: not alarming. null: no move, or not compared yet.',
  });
const repository = z
  .string()
  .nullable()
  .meta({
    description:
      'The repository that had the name, owner/repo in lower case; another name than the written one where it was ' +
      'renamed. null where it was not read.',
  });
const commit = z.string().nullable();

const RefMove = z.object({ at: instant, class: moveClass, from: z.string(), to: commit, alarming, alarm });

const UsedRef = z.object({
  ref: z.string().meta({ description: 'As written in workflow files.' }),
  commit: commit.meta({ description: 'Where it led when it was last checked; null where that is not known.' }),
  pin: z
    .enum(pins)
    .nullable()
    .meta({
      description:
        'sha: a commit SHA. immutable: the tag of an immutable release. version_tag: a tag of a full version. minor_tag: ' +
        'as v4.2. major_tag: as v4. digest, image_tag: of a container image. null: it was not read, or is not there.',
    }),
  state: z
    .enum(refStates)
    .nullable()
    .meta({
      description:
        'As last observed; null for a commit SHA and a container image, and before the first observation. Of a private ' +
        'repository that you cannot see: unreadable.',
    }),
  repository,
  repositories: z.int().meta({ description: 'Repositories that use it, also in turn.' }),
  workflows: z.int().meta({ description: 'Workflow files that name it; 0 for what is only used in turn.' }),
  transitive_of: z.array(z.string()).meta({
    description:
      'Uses in workflow files that lead to it, owner/repo/path@ref, through composite actions or called workflows.',
  }),
  moves_90d: z.int().meta({ description: 'Moves that were seen in the last 90 days.' }),
  alarming_90d: z.int(),
  not_compared_90d: z.int().meta({ description: 'Moves of which it is not known yet whether they are alarming.' }),
  known_since: instant.nullable().meta({ description: 'The first readable observation; null without one.' }),
  last_move: RefMove.nullable(),
  advisories: z
    .array(z.string())
    .nullable()
    .meta({
      description:
        'Published advisories that affect the version that is used: the one that the ref names, else the highest tag on its commit. ' +
        'null where they, or the version, were not read in the last 26 hours, and for container images.',
    }),
});

const ActionInUse = z.object({
  name: z.string().meta({
    description:
      'owner/repo in lower case, with the path below it as written; of a container image its name behind docker://.',
  }),
  kind: z.enum(actionKinds),
  publisher: z.enum(publishers).meta({ description: 'own: of this organization.' }),
  repositories: z.int(),
  workflows: z.int(),
  refs: z.array(UsedRef).meta({ description: 'Alarming moves first, then by workflow files.' }),
});

/** What workflow files of an organization use, directly and in turn; contract of the three answers, section 1.11. */
export const ActionInventory = z
  .object({
    org: z.string(),
    actions: z.array(ActionInUse).meta({ description: 'As sort says.' }),
    page: z.int(),
    pages: z.int(),
    totals: z
      .object({
        actions: z.int(),
        refs: z.int(),
        share_pinned_pct: z.number().nullable().meta({
          description:
            'Of the uses in workflow files those at a commit SHA, an image digest or an immutable release; null without any.',
        }),
        uses: z.int().meta({ description: 'Uses of an action at a ref in a workflow file, each once.' }),
        third_party_unpinned: z.int().meta({ description: 'Refs of third parties that are not pinned.' }),
        moves_90d: z
          .int()
          .nullable()
          .meta({
            description:
              'Moves of tags that were seen in the last 90 days; null where not every ref that can be read was checked ' +
              'in the last 26 hours.',
          }),
        alarming_90d: z.int().nullable().meta({
          description: 'Alarming moves of tags and branches in the last 90 days; null as above.',
        }),
        not_compared_90d: z
          .int()
          .meta({ description: 'Moves of which it is not known yet whether they are alarming.' }),
        advisories: z
          .int()
          .nullable()
          .meta({
            description:
              'Published advisories that affect what is used, each once; null where they were not read in the last 26 hours, ' +
              'and where none is known but not every version was read.',
          }),
      })
      .meta({ description: 'Of all that visible repositories use, whatever the filter.' }),
    repositories: z.object({
      visible: z.int(),
      read: z.int().meta({ description: 'Those whose workflow files were read.' }),
      unread_files: z.int().meta({ description: 'Workflow files of which it is not known what they use.' }),
    }),
    ledger: z.object({
      started_at: instant
        .nullable()
        .meta({ description: 'The first readable observation of a ref that is used; null before it.' }),
      complete_at: instant.nullable().meta({ description: 'Since then every such ref that can be read was checked.' }),
      refs: z.int().meta({ description: 'Refs in use that can move.' }),
      unreadable: z.int(),
    }),
    unknown: z
      .array(
        z.object({
          reason: z.enum(unknownReasons).meta({
            description:
              'expression: an expression names it. local_action: an action of the same repository, which is not read. ' +
              'unreadable_action: its file could not be read. graph_limit: more levels or actions than are followed.',
          }),
          text: z.string().meta({ description: 'As written.' }),
          through: z
            .string()
            .meta({ description: 'The use in a workflow file that leads to it; empty for one itself.' }),
          repositories: z.int(),
        }),
      )
      .meta({ description: 'What is used of which it is not known what it is, at most a thousand.' }),
    partial: z.boolean(),
    ...provenance,
  })
  .meta({ id: 'ActionInventory' });

/** Where a ref led, as far as it was observed. */
export const RefHistory = z
  .object({
    name: z.string(),
    ref: z.string(),
    observations: z
      .array(
        z.object({
          from: instant,
          to: instant,
          commit,
          tag_object: commit.meta({ description: 'The id of the tag itself, where it has a message.' }),
          state: z.enum(refStates),
          class: moveClass.meta({ description: 'How it came there; null for what is no move, or not compared yet.' }),
          alarming,
          alarm,
          repository,
        }),
      )
      .meta({ description: 'Oldest first, one for each change; what lies between two is not known.' }),
    truncated: z.boolean().meta({ description: 'true when there are more than the newest 1,000 observations.' }),
    gaps: z
      .array(z.object({ from: instant, to: instant }))
      .meta({ description: 'More than 26 hours without a readable observation.' }),
    used_by: z.array(
      z.object({
        repo: z.string(),
        path: z.string().meta({ description: 'Of the action below its repository; empty at the root.' }),
        first_day: z.string(),
        last_day: z.string(),
        days: z.int().meta({ description: 'Days on which its default branch used the ref.' }),
      }),
    ),
    ...provenance,
  })
  .meta({ id: 'RefHistory' });
