import Papa from 'papaparse';
import { z } from 'zod';
import type { Operation } from '../api/operation.ts';

/** The rows of an answer as CSV; null where the operation is no table. A table without rows has its header all the same. */
export function formatCsv({ rows, output }: Operation, body: unknown, options: CsvOptions): string | null {
  if (!rows) return null;
  const [model = {}] = rows(filled(output, body));
  return toCsv(rows(body), model, options);
}

/** A table that is written answer by answer. */
export interface CsvParts {
  /** With the byte-order mark, and the end of its line. */
  head: string;
  /** The rows of an answer, each with the end of its line. */
  toLines(body: unknown): Iterable<string>;
}

/** The same of several answers, of which the first says which columns there are. */
export function splitCsv({ rows, output }: Operation, first: unknown, { guarded }: CsvOptions): CsvParts {
  const listRows = (body: unknown) => rows?.(body) ?? [];
  const [model = {}] = listRows(filled(output, first));
  const columns = Object.keys(flat(model));
  const toLine = (cells: unknown[]) => `${Papa.unparse([cells])}\r\n`;
  return {
    head: `\ufeff${toLine(columns)}`,
    *toLines(body) {
      for (const row of listRows(body)) yield toLine(toCells(row, columns, guarded));
    },
  };
}

interface CsvOptions {
  /** Texts that a spreadsheet would run as a formula begin with an apostrophe. */
  guarded: boolean;
}

/**
 * What a spreadsheet reads as a formula: `=`, `+`, `-` or `@`, full-width and small forms included, also behind blanks,
 * line breaks and invisible characters; and what begins with a tab or a line break. One that separates by semicolons or
 * tabs begins a cell within ours, which may stand in quotes, and a row at each line break.
 */
const formula = /(^|[;\t\r\n]"?)([\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫])|^(?=[\t\r\n])/gu;

/** A value that a spreadsheet takes for what it is: an apostrophe makes a text of a formula. */
const guard = (value: unknown) => (typeof value === 'string' ? value.replace(formula, "$1'$2") : value);

/**
 * Rows as CSV with the columns of `model`, one level deep: nested objects become columns named `a.b`, lists are left as
 * JSON. Numbers stay numbers, negative ones too.
 */
export function toCsv(rows: readonly object[], model: object, { guarded }: CsvOptions): string {
  const columns = Object.keys(flat(model));
  const lines = rows.map((row) => toCells(row, columns, guarded));
  return `\ufeff${Papa.unparse([columns, ...lines])}\r\n`;
}

function toCells(row: object, columns: readonly string[], guarded: boolean): unknown[] {
  const values = flat(row);
  return columns.map((column) => (guarded ? guard(values[column]) : values[column]));
}

/** A value of the schema that lacks nothing: one item in every list, no null object; of a union what `known` is one of. */
function filled(schema: z.core.$ZodType, known: unknown): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return filled(schema.unwrap(), known);
  if (schema instanceof z.ZodArray) return [filled(schema.element, undefined)];
  if (schema instanceof z.ZodUnion) {
    const options: readonly z.core.$ZodType[] = schema.options;
    const option = options.find((one) => isNamedBy(one, known)) ?? options[0];
    return option && filled(option, known);
  }
  // Which of several tables an answer is to be had as.
  if (schema instanceof z.ZodEnum) return known ?? null;
  if (!(schema instanceof z.ZodObject)) return null;
  const parts: [string, z.core.$ZodType][] = Object.entries(schema.shape);
  return Object.fromEntries(
    parts.map(([key, part]) => [key, filled(part, isNested(known) ? Reflect.get(known, key) : undefined)]),
  );
}

/** Whether an answer has the literals by which the options of a union are distinguished. */
function isNamedBy(option: z.core.$ZodType, answer: unknown): boolean {
  if (!(option instanceof z.ZodObject) || !isNested(answer)) return false;
  const parts: [string, z.core.$ZodType][] = Object.entries(option.shape);
  return parts.every(([key, part]) => !isName(part) || z.safeParse(part, Reflect.get(answer, key)).success);
}

const isName = (schema: z.core.$ZodType) => schema instanceof z.ZodLiteral || schema instanceof z.ZodEnum;

function flat(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).flatMap(([key, value]): [string, unknown][] => {
      if (Array.isArray(value)) return [[key, JSON.stringify(value)]];
      if (!isNested(value)) return [[key, value]];
      return Object.entries(value).map(([inner, one]) => [
        `${key}.${inner}`,
        one !== null && typeof one === 'object' ? JSON.stringify(one) : one,
      ]);
    }),
  );
}

const isNested = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
