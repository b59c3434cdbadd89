import type { z } from 'zod';
import type { Context, Reply } from '../access/context.ts';
import type { Access } from '../access/rules.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { Env } from '../platform/env.ts';
import type { Problem, ProblemCode } from '../platform/problem.ts';
import type { Scope } from '../store/versions.ts';
import type { HeaderName } from './openapi/headers.ts';
import type { Domain } from './wire.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** At most `times` accepted requests in any window of `windowMs`, counted per address, per account or per token. */
export interface Limit {
  bucket: string;
  /** 0 switches the limit off. */
  times: number | ((env: Env) => number);
  windowMs: number;
  per: 'address' | 'account' | 'token';
  /** `before` counts requests with bad input too. */
  counts: 'before' | 'after';
  /** A request for which this is false is not counted. */
  applies?(context: Context): Promise<boolean>;
}

export const perMinute = (bucket: string, times: number, rest: Pick<Limit, 'per' | 'counts' | 'applies'>): Limit => ({
  bucket,
  times,
  windowMs: 60_000,
  ...rest,
});

/** How often one account may change settings, permissions, groups and identities. */
export const adminWrites = perMinute('admin-writes', 60, { per: 'account', counts: 'after' });

/** How often messages may be sent to try a provider or a rule; email and alerts share the counter. */
export const testMessages = perMinute('test-messages', 3, { per: 'token', counts: 'after' });

export const svgType = 'image/svg+xml; charset=utf-8';

/** What an answer is made of beside its input, and the configuration. */
export interface Dependencies {
  /** What is stored: its versions move in the transaction that changes it. */
  scopes: readonly Scope[];
  /** What of the platform and of the caller is in it, what they may see above all: equal where it is the same. */
  sees: string;
  /** When its windows have moved on; epoch milliseconds. */
  until: Instant;
}

/**
 * One question or command: who may ask, what goes in, what comes out.
 * The JSON adapter, pages, forms, the access registry, OpenAPI and navigation all read this declaration.
 */
export interface Operation<In extends z.ZodObject = z.ZodObject, Out extends z.ZodType = z.ZodType> {
  method: Method;
  path: `/api/${string}`;
  summary: string;
  access: Access;
  limit?: Limit;
  /** Whether it exists in this installation; it does unless it says otherwise. */
  isEnabled?(env: Env): boolean;
  /** Origins of other sites whose pages may call it: none by default. */
  allowedOrigins?(env: Env): readonly string[];
  /**
   * A failure as the protocol of its callers has it: adds headers, and answers the body, as an object or as the text of
   * the type that it sets; null for that of the service.
   */
  describeFailure?(problem: Problem, context: Context, headers: Headers): object | string | null;
  /** Where a browser is sent that is rejected; everybody else reads the error as JSON. */
  deniedPage?(problem: Problem): string;
  /** `Cache-Control` of a successful answer; revalidated data for reads of the platform and the store by default. */
  cache?: string;
  /** Response headers of its own, beside those that its declaration implies. */
  headers?: readonly HeaderName[];
  /** The rows of an answer that is a table; with them it can be had as CSV. */
  rows?(output: z.output<Out>): readonly object[];
  /**
   * Of an answer that is one page of its table: what of the input leads to the next page, null after the last. With it
   * all pages can be had as one CSV file, read one after the other. What it gives is not checked against `input` again.
   */
  nextPage?(output: z.output<Out>, input: z.output<In>): Partial<z.output<In>> | null;
  /**
   * Instead of it, of an answer whose pages are cut by `page` and `limit` from a table that is computed as a whole: the
   * answer without the first rows of that table. The CSV file is cut from one answer, so that no row moves meanwhile.
   */
  skip?(output: z.output<Out>, count: number): z.output<Out>;
  /** The answer as a SARIF 2.1.0 log, where it reports findings. */
  sarif?(output: z.output<Out>, env: Pick<Env, 'APP_URL'>): object;
  /** The answer as a unified diff, where it changes files, and what the file is called without its extension. */
  diff?: { text(output: z.output<Out>): string; fileName(query: URLSearchParams): string };
  /** The media type of an operation that answers with bytes of its own; JSON without it. */
  contentType?: string;
  /** The answer as the image that it is; then it cannot be had otherwise. Pages of other sites may show it. */
  svg?(output: z.output<Out>): string;
  /** Path parameters and, of reads and deletions, the query; of other writes the JSON body or the fields of a form. */
  input: In;
  /** What of a write may be in its query instead of its body. */
  query?: readonly (keyof In['shape'] & string)[];
  /** Applied to every answer: what is not declared does not leave. */
  output: Out;
  /** Every answer states whether it did what was requested: an error has `ok: false` beside its code. */
  includesOk?: true;
  /**
   * An answer whose dependencies are known is given again from memory while they stay the same, and while what it read
   * of the platform is fresh. Looked up at every request, so it proves what the caller may see as `run` does, and reads
   * nothing of the database. null where that is not known without a request of its own.
   */
  dependsOn?(input: z.output<In>, context: Context): Promise<Dependencies | null>;
  /** The statuses with which it succeeds, and what each of them means; 200 alone by default. */
  successes?: Readonly<Record<number, string>>;
  /** The failures of its own, beside those that its declaration implies. */
  failures?: readonly ProblemCode[];
  /** The answer in the program's own names; `toWire` writes those of `output`. */
  run(input: z.output<In>, context: Context, reply: Reply): Promise<Domain<Out> | Response>;
}

/** Whether all pages of its table can be had as one CSV file. */
export const hasPages = ({ rows, nextPage, skip }: Operation): boolean =>
  rows !== undefined && (nextPage ?? skip) !== undefined;

export const operation = <In extends z.ZodObject, Out extends z.ZodType>(spec: Operation<In, Out>) =>
  Object.freeze(spec);
