import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { conclusions, type RepositoryName } from '../../metrics/kernel/facts.ts';
import { instant } from '../kernel/instants.ts';
import { noteCanonicalName } from '../kernel/notes.ts';
import { visibleRepository } from '../repositories/visibility.ts';
import { type HistorySource, readHistory } from './source.ts';

const StoredRun = z
  .object({
    id: z.int(),
    repo: z.string(),
    workflow_id: z.int().nullable(),
    workflow_name: z.string().nullable(),
    run_number: z.int().nullable(),
    run_attempt: z.int(),
    status: z.string().nullable(),
    conclusion: z.enum(conclusions).nullable(),
    event: z.string().nullable(),
    head_branch: z.string().nullable(),
    head_sha: z.string().nullable(),
    actor: z.string().nullable(),
    created_at: instant,
    run_started_at: instant.nullable(),
    updated_at: instant.nullable(),
    completed_at: instant.nullable(),
    duration_ms: z.int().nullable(),
    queue_wait_ms: z.int().nullable().meta({
      description: 'Of the first jobs of the run, where these are stored; else to its start, of first attempts only.',
    }),
    html_url: z.string(),
    synced_at: instant,
  })
  .meta({ id: 'StoredRun' });

export const RunsReport = z
  .object({
    runs: z.array(StoredRun),
    total: z.int().meta({ description: 'Runs that match the same filter.' }),
    limit: z.int(),
    offset: z.int(),
    synced_through: instant.nullable().meta({ description: 'null: never synchronized.' }),
  })
  .meta({ id: 'RunsReport' });

type RunsInput = RepositoryName & {
  limit: number;
  offset: number;
  conclusion?: (typeof conclusions)[number] | undefined;
};

/** Stored runs of a repository that the caller's token can see, newest first. */
export async function storedRuns(input: RunsInput, context: Context, reply: Reply): Promise<Domain<typeof RunsReport>> {
  const source = await readHistory(context);
  const { limit, offset, conclusion } = input;
  const repository = await visibleRepository(input, context);
  noteCanonicalName(reply, await context.codehost(), input);
  const known = await source.repositories.find(repository);
  if (!known) return { runs: [], total: 0, limit, offset, syncedThrough: null };
  const [page, cursor] = await Promise.all([
    source.runs.page({ repoId: known.id, limit, offset, conclusion }),
    source.cursors.get(known.id),
  ]);
  const repo = `${repository.owner}/${repository.repo}`;
  return {
    runs: page.runs.map((run) => storedRun(run, repo, context)),
    total: page.total,
    limit,
    offset,
    syncedThrough: cursor?.syncedThrough ?? null,
  };
}

type StoredFact = Awaited<ReturnType<HistorySource['runs']['page']>>['runs'][number];

const storedRun = (run: StoredFact, repo: string, { services, isDemo }: Context): Domain<typeof StoredRun> => ({
  ...run,
  repo,
  runAttempt: run.attempt,
  actor: run.actor?.login ?? null,
  runStartedAt: run.startedAt,
  htmlUrl: isDemo ? '#' : `${services.env.CODEHOST_WEB_URL}/${repo}/actions/runs/${run.id}`,
});
