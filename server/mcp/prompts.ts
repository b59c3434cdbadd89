import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Context } from '../access/context.ts';
import type { FeatureKey } from '../access/features.ts';
import { identifier, login, org, owner, repo } from '../api/parameters.ts';

interface Declared {
  name: string;
  title: string;
  description: string;
  needs: FeatureKey | null;
  arguments: z.ZodObject;
  text(given: Record<string, string>): string;
}

const rules =
  'Say n, the interval and the coverage beside each number, and link its evidence. null is no value, not 0.';

const declared: readonly Declared[] = [
  {
    name: 'one_to_one_brief',
    title: 'Prepare a 1:1',
    description: 'Talking points about one person, from their own two halves of 90 days.',
    needs: 'contributorProfile',
    arguments: z.object({ owner, login }),
    text: ({ owner, login }) =>
      [
        `Prepare a 1:1 with ${login} about their work in ${owner}.`,
        `Call contributor with owner ${owner} and login ${login}, then open_pull_requests for the repositories that its answer names.`,
        'Compare the person only with their own earlier half. Do not rank people and do not compare them with others.',
        'Write at most five talking points, each as a question.',
        rules,
      ].join('\n'),
  },
  {
    name: 'weekly_review',
    title: 'Weekly review',
    description: 'What changed in a week, what is on fire, and three decisions to make.',
    needs: null,
    arguments: z.object({ org: org.optional(), owner: owner.optional(), repo: repo.optional() }),
    text: ({ org, owner, repo }) => {
      const scope = org ? `the organization ${org}` : `${owner}/${repo}`;
      return [
        `Review the last week of ${scope}.`,
        `Call compare_periods with owner ${org ?? owner}${org ? '' : `, repo ${repo}`}, metrics success_rate, duration_p50, lead_time and merged, and days 7.`,
        `Call alerts, organization with org ${org ?? owner} and view health, and open_pull_requests for ${org ? 'its repositories with the lowest scores' : scope}.`,
        'Report a difference only where the verdict is higher or lower; otherwise say that none is shown.',
        'End with three decisions to make, the most urgent first.',
        rules,
      ].join('\n');
    },
  },
  {
    name: 'slow_ci',
    title: 'Why CI is slow',
    description: 'Where the time of a workflow goes, and what it would save to change it.',
    needs: null,
    arguments: z.object({ owner, repo, workflow_id: z.coerce.number().pipe(identifier).optional() }),
    text: ({ owner, repo, workflow_id }) =>
      [
        `Find out why CI of ${owner}/${repo} is slow${workflow_id ? `, workflow ${workflow_id}` : ''}.`,
        'Call workflow_health, then why_is_ci_slow, flaky_and_reliability and ci_cost for the slowest workflow.',
        'For each cause say the saving with n and interval, and what supports it. Say what the data does not show.',
        rules,
      ].join('\n'),
  },
];

/** The prompts of which the caller may use what they ask for. */
export async function listPrompts(context: Context): Promise<Prompt[]> {
  const offered = await Promise.all(declared.map((one) => isOffered(one, context)));
  return declared
    .filter((_, index) => offered[index])
    .map(({ name, title, description, arguments: { shape } }) => ({
      name,
      title,
      description,
      arguments: Object.entries(shape).map(([key, schema]) => ({
        name: key,
        required: !(schema as z.ZodType).safeParse(undefined).success,
      })),
    }));
}

/** Fixed text with arguments that passed their syntax: no fact is read. */
export async function getPrompt(
  name: string,
  given: Record<string, string> | undefined,
  context: Context,
): Promise<GetPromptResult> {
  const prompt = declared.find((one) => one.name === name);
  if (!prompt || !(await isOffered(prompt, context)))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no prompt of this name.');
  const { success, data } = prompt.arguments.safeParse(given ?? {});
  const isScoped =
    name !== 'weekly_review' || given?.org !== undefined || (given?.owner !== undefined && given.repo !== undefined);
  if (!success || !isScoped)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'An argument is missing, or not valid.');
  const text = prompt.text(data as Record<string, string>);
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

const isOffered = async ({ needs }: Declared, context: Context): Promise<boolean> =>
  needs === null || (await context.actor()).features.includes(needs);
