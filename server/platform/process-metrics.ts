// What this process counts, wherever it happens: a count is declared here, and added to where it happens.
import { type Counter, counter, type Histogram, histogram } from './counters.ts';
import type { Labels } from './metric-family.ts';
import type { ProblemCode } from './problem.ts';

/** Seconds. */
const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Answers. `operation`: the declared path, `page`, `static` or `unknown`; `status_class`: `2xx` to `5xx`. */
const httpRequests = counter({
  name: 'das_http_requests',
  unit: '',
  help: 'Answered requests.',
  labels: ['operation', 'method', 'status_class'],
});

/** Seconds until an answer begins, or ends where it is sent as one. */
const httpDuration = histogram(
  {
    name: 'das_http_request_duration_seconds',
    unit: 'seconds',
    help: 'Time to answer a request.',
    labels: ['operation'],
  },
  durationBounds,
);

/** `code`: one of `problemStatus`. */
export const httpRefusals = counter({
  name: 'das_http_refusals',
  unit: '',
  help: 'Errors answered, by error code; a page counts each of its parts that failed.',
  labels: ['code'],
});

const codehostRequests = counter({
  name: 'das_codehost_requests',
  unit: '',
  help: 'Requests sent to GitHub, repeats and redirects included.',
  labels: ['api', 'outcome'],
});

/** `outcome`: `answered`, or the error code. */
const mcpToolCalls = counter({
  name: 'das_mcp_tool_calls',
  unit: '',
  help: 'Calls of MCP tools, by what came of them: `answered`, or an error code.',
  labels: ['tool', 'outcome'],
});

const mcpToolDuration = histogram(
  {
    name: 'das_mcp_tool_duration_seconds',
    unit: 'seconds',
    help: 'Time to answer a call of an MCP tool.',
    labels: ['tool'],
  },
  durationBounds,
);

/** Everything that is counted here, in the order in which it is written. */
export const processCounters: readonly (Counter<string> | Histogram<string>)[] = [
  httpRequests,
  httpDuration,
  httpRefusals,
  codehostRequests,
  mcpToolCalls,
  mcpToolDuration,
];

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts an answer that took `ms` milliseconds. A method that HTTP does not name is `other`. */
export function countAnswer(operation: string, method: string, status: number, ms: number): void {
  const labels: Labels<'operation' | 'method' | 'status_class'> = {
    operation,
    method: methods.has(method) ? method : 'other',
    status_class: `${Math.floor(status / 100)}xx`,
  };
  httpRequests.add(labels);
  httpDuration.observe({ operation }, ms / 1000);
}

/** Counts a call of a declared tool that took `ms` milliseconds. */
export function countToolCall(tool: string, outcome: 'answered' | ProblemCode, ms: number): void {
  mcpToolCalls.add({ tool, outcome });
  mcpToolDuration.observe({ tool }, ms / 1000);
}

/** Requests that are being answered now. */
export const requestsInFlight = { now: 0 };

type CodehostApi = 'rest' | 'graphql' | 'search';
type CodehostOutcome = 'success' | 'not_modified' | 'client_error' | 'rate_limited' | 'server_error' | 'no_answer';

/** Counts a request that was sent to the platform. */
export const countCodehostRequest = (api: CodehostApi, outcome: CodehostOutcome): void =>
  codehostRequests.add({ api, outcome });

/** What became of a request; `status` is null when no answer arrived. */
export function requestOutcome(status: number | null, isRateLimited: boolean): CodehostOutcome {
  if (status === null) return 'no_answer';
  if (isRateLimited) return 'rate_limited';
  if (status === 304) return 'not_modified';
  if (status < 400) return 'success';
  return status < 500 ? 'client_error' : 'server_error';
}
