import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Context } from '../access/context.ts';
import { toErrorBody, toProblem } from '../http/error-body.ts';
import { countToolCall } from '../platform/process-metrics.ts';
import { teamCalendar } from '../reports/kernel/calendar.ts';
import { aboutAnswer } from './about-answer.ts';
import type { Draft } from './draft.ts';
import { parseToolInput } from './input.ts';
import { cursorsOf, pageOf } from './paging.ts';
import { assertMayAskOne, createReader } from './reader.ts';
import { describeAnswer, ToolAnswer, toToolAnswer } from './result.ts';
import type { Tool } from './tool.ts';
import type { ToolLimits } from './tool-limits.ts';

type Outcome = Parameters<typeof countToolCall>[1];

/** Beyond this the structured content is not repeated as text. */
const maxRepeated = 24 * 1024;

/**
 * Calls a tool. What is expected to go wrong is an answer that an agent can read, with the error of the API as text; a
 * defect is a protocol error with the id of the request.
 */
export async function callTool(
  tool: Tool,
  given: unknown,
  context: Context,
  limits: ToolLimits,
): Promise<CallToolResult> {
  const started = performance.now();
  const count = (outcome: Outcome) => countToolCall(tool.name, outcome, performance.now() - started);
  try {
    const result = await limits.run(context, () => answer(tool, given, context));
    count('answered');
    return result;
  } catch (error) {
    const problem = toProblem(error, context);
    count(problem.code);
    if (problem.code === 'internal')
      throw new ProtocolError(ProtocolErrorCode.InternalError, problem.message, { request_id: context.requestId });
    const body = toErrorBody(problem, context.requestId, context.services.env);
    return {
      isError: true,
      content: [
        { type: 'text', text: body.error },
        { type: 'text', text: JSON.stringify({ ...body, ...retryAfter(body.details?.retry_after_s) }) },
      ],
    };
  }
}

/** Beside the details, where agents look for it. */
const retryAfter = (seconds: number | undefined) => (seconds === undefined ? {} : { retry_after_s: seconds });

async function answer(tool: Tool, given: unknown, context: Context): Promise<CallToolResult> {
  const { input, cursor, limit } = parseToolInput(tool, given);
  await assertMayAskOne(tool.questions(input), context);
  const cursors = cursorsOf(tool.name, input, {
    secret: context.services.secrets[0],
    now: context.services.clock.now(),
  });
  const reader = createReader(context);
  const draft = await tool.run(input, reader);
  const page = pageOf(draft.items, cursor, limit, cursors);
  const made = ToolAnswer.parse(toToolAnswer(tool, draft, page, reader, await timezoneOf(draft, context)));
  const text = JSON.stringify(made);
  const isRepeated = Buffer.byteLength(text) <= maxRepeated;
  return {
    structuredContent: made,
    content: [
      { type: 'text', text: describeAnswer(tool, made, isRepeated) },
      ...(isRepeated ? [{ type: 'text' as const, text }] : []),
    ],
  };
}

/** That of the team, where no part of the answer says one. */
async function timezoneOf({ parts }: Draft, context: Context): Promise<string> {
  const said = parts.map((part) => aboutAnswer(part).timezone).find((one) => one !== null);
  return said ?? (await teamCalendar(context)).timezone;
}
