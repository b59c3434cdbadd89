import type { z } from 'zod';
import type { Operation } from '../api/operation.ts';
import type { Draft } from './draft.ts';
import type { Reader } from './reader.ts';

/** A question that an operation answers: what a tool is made of. */
export interface Question {
  operation: Operation;
  params: Params;
}

export type Params = Readonly<Record<string, string | number | undefined>>;

/** A read-only tool of agents: a further door to operations, which computes no number of its own. */
export interface Tool<In extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  /** One that it answers, for the documentation. */
  question: string;
  /** At most 400 characters, in our words alone. */
  description: string;
  /** A subset of what its operations take, never looser. */
  input: In;
  /** It is offered to whoever may use one of these. */
  operations: readonly Operation[];
  /** What it needs, for the documentation, where its operations alone do not say so. */
  needs?: string;
  /** The questions of a call of which the caller must be allowed one; the others are left out, and said to be. */
  questions(input: z.output<In>): readonly Question[];
  /** Throws the problems of operations. */
  run(input: z.output<In>, reader: Reader): Promise<Draft>;
}

export const tool = <In extends z.ZodObject>(declaration: Tool<In>): Tool => declaration as unknown as Tool;
