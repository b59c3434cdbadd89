import type { z } from 'zod';
import type { Context } from '../access/context.ts';
import { decide, offers } from '../access/decision.ts';
import { type FeatureKey, features } from '../access/features.ts';
import type { Operation } from '../api/operation.ts';
import { asRequest, readOperation } from '../http/read-operation.ts';
import type { Params, Question } from './tool.ts';

/** The answer of an operation, as `GET path` gives it. */
export interface Part<Answer = unknown> {
  path: string;
  answer: Answer;
  /** Its headers, in which answers say of when they are and whether they are complete that do not say so themselves. */
  headers: Headers;
  readAt: string;
}

export interface Note {
  code: string;
  text: string;
  part?: string;
  flag?: FeatureKey;
}

/** Reads operations for a tool, by their access rules, limits and caches, as the API does. */
export interface Reader {
  context: Context;
  /** What is left out of the answer, and why. */
  notes: Note[];
  /** @throws Problem of the operation */
  read<In extends z.ZodObject, Out extends z.ZodType>(
    operation: Operation<In, Out>,
    params?: Params,
  ): Promise<Part<z.output<Out>>>;
  /** The same for a part that an answer can do without; null where it is not granted, which is noted. */
  readPart<In extends z.ZodObject, Out extends z.ZodType>(
    part: string,
    operation: Operation<In, Out>,
    params?: Params,
  ): Promise<Part<z.output<Out>> | null>;
}

export function createReader(context: Context): Reader {
  const notes: Note[] = [];
  const read: Reader['read'] = (operation, params = {}) => readOperation(context, operation, params);
  return {
    context,
    notes,
    read,
    async readPart(part, operation, params = {}) {
      const flag = await missingFeature({ operation: operation as unknown as Operation, params }, context);
      if (flag === null) return read(operation, params);
      notes.push({ code: 'missing_feature', text: `${features[flag].label} is not granted.`, part, flag });
      return null;
    },
  };
}

/** The feature that the caller lacks for a question; null where they may ask it. */
async function missingFeature(question: Question, context: Context): Promise<FeatureKey | null> {
  const request = asRequest(context, question.operation, question.params);
  const required = question.operation.access.required(request);
  if (typeof required !== 'object') return null;
  return offers(question.operation.access, request, await context.actor()) ? null : required.feature;
}

/** @throws Problem of the first question where the caller may ask none of them */
export async function assertMayAskOne(questions: readonly Question[], context: Context): Promise<void> {
  const actor = await context.actor();
  const isAllowed = ({ operation, params }: Question) =>
    offers(operation.access, asRequest(context, operation, params), actor);
  const [first] = questions;
  if (!first || questions.some(isAllowed)) return;
  await decide(first.operation.access, asRequest(context, first.operation, first.params));
}

/** The feature of questions that the account may ask and its access token may not; null where it is not that. */
export async function missingScope(questions: readonly Question[], context: Context): Promise<FeatureKey | null> {
  const actor = await context.actor();
  const account = { ...actor, accessToken: null };
  let missing: FeatureKey | null = null;
  for (const question of questions) {
    const { access } = question.operation;
    const request = asRequest(context, question.operation, question.params);
    if (offers(access, request, actor)) return null;
    const required = access.required(request);
    if (missing === null && typeof required === 'object' && offers(access, request, account))
      missing = required.feature;
  }
  return missing;
}
