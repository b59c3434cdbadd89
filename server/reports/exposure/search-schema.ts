import { z } from 'zod';
import { usedKinds } from '../../scan/action-uses.ts';
import { Coverage, coverageReasons } from '../kernel/coverage.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { logStates } from './attempt-log.ts';
import { reachedSecrets, reachFields, reachTotals } from './reach/schema.ts';
import { matchTypes } from './verdict/suspect.ts';
import { likelihoods, proofsOfAbsence, proofsOfUse, reasons, verdicts } from './verdict/verdict.ts';

/** What is missing that a search would need. */
const gaps = [...coverageReasons, 'not_read', 'runs_gap', 'files_unread', 'logs_unread'] as const;
export type ExposureGap = (typeof gaps)[number];

const reasonList = z.array(z.enum(reasons)).meta({
  description:
    'What is missing. between_observations: the ref was observed before and after, not at that moment. ledger_gap: it was ' +
    'not observed around then. commit_not_known: pinned to a commit that is not known to be clean. log_unread, log_expired: the log, which names what was downloaded, was not read, or was deleted by its age: 90 days ' +
    'are assumed. log_cut: it does not name all. named_in_step: a line of it that the step may have written. clock: a line of another time. unreadable_file: the workflow file of that commit was not ' +
    'read, or it is not certain which file ran. local_action_not_in_tree: it uses an action of the repository itself, which is not followed. version_not_comparable: the ref names no full version. coverage: runs may be missing.',
});
const noReasons = z.array(z.enum(reasons)).max(0);

const proofOf = <Kind extends string>(kinds: readonly [Kind, ...Kind[]]) =>
  z.object({ kind: z.enum(kinds), at: instant, detail: z.string() });

/** Nothing is said to be proven, or not to be so, without its proof. */
const judged = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.discriminatedUnion('verdict', [
    z.object({
      ...shape,
      verdict: z.literal('proven'),
      proof: proofOf(proofsOfUse),
      likelihood: z.null(),
      reasons: noReasons,
    }),
    z.object({
      ...shape,
      verdict: z.enum(['possible', 'unknown']),
      proof: z.null(),
      likelihood: z.enum(likelihoods).nullable().meta({ description: 'It sorts, and changes no verdict.' }),
      reasons: reasonList,
    }),
    z.object({
      ...shape,
      verdict: z.literal('no'),
      proof: proofOf(proofsOfAbsence).meta({
        description:
          'N0: nothing ran then. N1: the log names all that was downloaded. N2: neither the workflow file nor what it uses in turn names it. N3: no job of it began. N4: pinned to another commit. N5: the tag of an immutable release. N6: it ran at another time.',
      }),
      likelihood: z.null(),
      reasons: noReasons,
    }),
  ]);

const counts = z.object({ proven: z.int(), possible: z.int(), unknown: z.int(), no: z.int() });

const Run = z.object({
  id: z.int(),
  attempt: z.int(),
  number: z.int(),
  workflow: z.string().nullable(),
  workflow_path: z.string().nullable().meta({ description: 'The file that ran, where it was read.' }),
  event: z.string(),
  head_branch: z.string().nullable(),
  head_sha: z.string(),
  started_at: instant,
  html_url: z.string().nullable(),
});

/** Tables that it can be had as. */
export const exposureTables = ['uses', 'repositories', 'secrets'] as const;

/** Whether repositories used what was compromised; contract of the three answers, section 1.11. */
export const ExposureSearch = z
  .object({
    org: z.string(),
    suspects: z.array(
      z.object({
        kind: z
          .enum(usedKinds)
          .nullable()
          .meta({ description: 'null: the action and the reusable workflows of the name.' }),
        name: z.string(),
        names: z
          .array(z.string())
          .meta({ description: 'Every name under which the repository was seen, as far as the caller may see it.' }),
        match: z.array(z.object({ type: z.enum(matchTypes), value: z.string().nullable() })),
      }),
    ),
    window: z
      .object({ from: instant, to: instant })
      .meta({ description: 'As searched: without a begin as far back as runs are stored, and never beyond now.' }),
    totals: z
      .object({
        repositories: counts,
        runs: counts.meta({ description: 'Each as the worst of its attempts.' }),
        attempts: counts,
        first_use: instant.nullable().meta({ description: 'Of the attempts that are affected or possibly affected.' }),
        last_use: instant.nullable(),
        ...reachTotals,
      })
      .meta({ description: 'Of all that visible repositories ran in the window, whatever the filter.' }),
    repositories: z
      .array(
        judged({
          repo: z.string(),
          attempts: counts,
          direct: z.boolean().meta({ description: 'Whether a workflow file names it.' }),
          through: z.array(z.string()).meta({ description: 'Uses in workflow files that lead to it.' }),
          refs: z.array(z.string()).meta({ description: 'At which refs it was used.' }),
          first_use: instant.nullable(),
          last_use: instant.nullable(),
          secrets: z
            .int()
            .nullable()
            .meta({ description: 'How many with a name were in reach; null where that is not known.' }),
          all_secrets: z.boolean().nullable(),
          default_branch_uses_now: z.boolean(),
        }),
      )
      .meta({ description: 'All that the caller can see, the worst first.' }),
    uses: z
      .array(
        judged({
          repo: z.string(),
          suspect: z.string().meta({ description: 'Which of the names the verdict is about: the worst of them.' }),
          run: Run,
          log_state: z.enum(logStates),
          ...reachFields,
        }),
      )
      .meta({
        description:
          'Attempts, the worst first, of the same those with most in reach. A verdict is on all jobs of an attempt together.',
      }),
    secrets: reachedSecrets,
    total: z.int().meta({ description: 'Attempts that match the filter.' }),
    page: z.int(),
    pages: z.int(),
    table: z.enum(exposureTables).meta({ description: 'The rows of a CSV file.' }),
    not_checked: z
      .array(z.object({ reason: z.enum(reasons), attempts: z.int() }))
      .meta({ description: 'What is missing, with how many attempts it is missing for, the most first.' }),
    logs: z
      .object({
        readable: z.int().meta({ description: 'Listed attempts whose logs were not read and may decide.' }),
        next: z.int().meta({ description: 'Those of them that one request has read, 1,000 at most.' }),
        requests_at_least: z.int().meta({
          description: 'Requests to GitHub that reading these takes; more where their jobs are not known.',
        }),
        waiting: z.int().meta({ description: 'Attempts that are about to be read.' }),
        read: z.int().meta({ description: 'Attempts of which every log was read.' }),
        can_read: z.boolean().meta({ description: 'Whether this installation reads logs: it needs a service token.' }),
      })
      .meta({ description: 'Of the attempts of the window, and what reading the rest takes.' }),
    coverage: Coverage.extend({ reasons: z.array(z.enum(gaps)) }).meta({
      id: 'ExposureCoverage',
      description:
        'read: attempts that were judged. not_read: repositories of which it was never read what they use. runs_gap: runs of the ' +
        'window may be missing. files_unread: of some runs the workflow file that ran was not read, or it is not certain which it was. logs_unread: some logs were not read, or not to their end.',
    }),
    ledger_since: instant
      .nullable()
      .meta({ description: 'The first observation of a ref of the name; null without one.' }),
    partial: z.boolean(),
    ...provenance,
  })
  .meta({ id: 'ExposureSearch' });

export const WantedLogs = z
  .object({
    ok: z.literal(true),
    wanted: z.int().meta({ description: 'Attempts whose logs are read from now on.' }),
    left: z.int().meta({ description: 'Attempts beyond the 1,000 of one request.' }),
  })
  .meta({ id: 'WantedLogs' });

export const verdictFilter = z.enum(verdicts);
