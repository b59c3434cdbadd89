import type { Conclusion, Instant } from '../metrics/kernel/facts.ts';
import { type AttemptIdentity, attemptSpanId, traceId } from './ids.ts';
import { toInterval } from './interval.ts';
import { toResult } from './result.ts';
import { type Attributes, type PipelineSpan, toAttributes, toSpanName } from './span.ts';

/** What is stored of a completed attempt of a run; instants are epoch milliseconds. */
export interface AttemptFacts extends AttemptIdentity {
  owner: string;
  repo: string;
  workflowId: number;
  workflowName: string | null;
  runNumber: number;
  event: string;
  conclusion: Conclusion | null;
  headBranch: string | null;
  headSha: string;
  /** Login of whoever caused the attempt. */
  actor: string | null;
  createdAt: Instant;
  startedAt: Instant | null;
  completedAt: Instant;
}

/** What a destination decides about the spans it is sent. */
export interface SpanOptions {
  /** The platform's web address, without a slash at its end. */
  webUrl: string;
  /** Value of `service.name`; `{owner}` and `{repo}` are replaced. */
  serviceName: string;
  includeActor: boolean;
}

/** What all spans of an attempt have in common (contract-open §4.4). */
export function attemptResource(facts: AttemptFacts, { webUrl, serviceName }: SpanOptions): Attributes {
  const repositoryUrl = `${webUrl}/${facts.owner}/${facts.repo}`;
  return toAttributes({
    'service.name': serviceName.replaceAll('{owner}', () => facts.owner).replaceAll('{repo}', () => facts.repo),
    'cicd.pipeline.name': facts.workflowName ?? String(facts.workflowId),
    'cicd.pipeline.run.id': String(facts.runId),
    'cicd.pipeline.run.url.full': `${repositoryUrl}/actions/runs/${facts.runId}/attempts/${facts.attempt}`,
    'vcs.provider.name': 'github',
    'vcs.owner.name': facts.owner,
    'vcs.repository.name': facts.repo,
    'vcs.repository.url.full': repositoryUrl,
    'vcs.ref.head.name': facts.headBranch,
    'vcs.ref.head.revision': facts.headSha,
    'vcs.ref.head.type': facts.headBranch === null ? null : refType(facts.event),
  });
}

/** A push, or what a person started, may be of either. */
function refType(event: string): 'branch' | 'tag' | null {
  if (event === 'release') return 'tag';
  return branchEvents.has(event) ? 'branch' : null;
}

const branchEvents: ReadonlySet<string> = new Set(['pull_request', 'pull_request_target', 'merge_group', 'schedule']);

/**
 * The root span of an attempt, of the facts of the run alone: what becomes known of its jobs later does not change it.
 */
export function attemptSpan(facts: AttemptFacts, { includeActor }: SpanOptions): PipelineSpan {
  const { result, errorType } = toResult(facts.conclusion, 'job_failure');
  const start = attemptStart(facts);
  const interval = toInterval(start, facts.completedAt, facts.completedAt);
  const previous = { ...facts, attempt: facts.attempt - 1 };
  return {
    traceId: traceId(facts),
    spanId: attemptSpanId(facts),
    parentSpanId: null,
    name: toSpanName(`RUN ${facts.workflowName ?? ''}`, 'RUN'),
    kind: 'server',
    ...interval,
    isError: errorType !== null,
    attributes: toAttributes({
      'cicd.pipeline.action.name': 'RUN',
      'cicd.pipeline.result': result,
      'error.type': errorType,
      'das.run.attempt': facts.attempt,
      'das.run.number': facts.runNumber,
      'das.run.event': facts.event,
      'das.workflow.id': facts.workflowId,
      'das.run.actor': includeActor ? facts.actor : null,
      'das.time.corrected': interval.isCorrected || null,
    }),
    link: facts.attempt > 1 ? { traceId: traceId(previous), spanId: attemptSpanId(previous) } : null,
  };
}

/** A later attempt keeps the creation of the first. */
export const attemptStart = ({ attempt, createdAt, startedAt }: AttemptFacts): Instant | null =>
  attempt === 1 ? createdAt : startedAt;
