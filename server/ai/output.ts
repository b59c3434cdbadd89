import type { Surface } from './generate.ts';

export interface CheckedOutput<Content> {
  content: Content;
  /** A number in it does not occur in the snapshot. */
  unverified: boolean;
}

/**
 * What a provider wrote, as the content of a surface. null when it is no JSON of that shape, or holds an address of a
 * page or of a person, markup, or invisible characters: nothing of it is repaired or truncated.
 */
export function checkOutput<Content>(
  { shape, texts }: Pick<Surface<Content>, 'shape' | 'texts'>,
  written: string,
  snapshot: object,
): CheckedOutput<Content> | null {
  const parsed = shape.safeParse(jsonIn(written));
  if (!parsed.success || stringsIn(parsed.data).some(isHostile)) return null;
  const known = new Set(numbersIn(snapshot));
  const reported = texts(parsed.data).flatMap((text) => numbersIn(text));
  return { content: parsed.data, unverified: reported.some((number) => !known.has(number)) };
}

/** The JSON of an answer, without the code fence that some models put around it; undefined when it is none. */
function jsonIn(written: string): unknown {
  const [, fenced] = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/i.exec(written) ?? [];
  try {
    return JSON.parse(fenced ?? written);
  } catch {
    return undefined;
  }
}

const hostile = [
  /[a-z][a-z0-9+.-]*:\/\//i,
  /\b(javascript|data|mailto|vbscript|tel):\S/i,
  /(^|[\s("'])\/\/[\w-]/,
  /\bwww\.\S/i,
  /\b[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}\/\S/i,
  /\]\(/,
  /[\w.+-]+@[\w-]+(\.[\w-]+)*\.[a-z]{2,}/i,
  /<[a-z/!?]/i,
  // Controls, marks that turn the direction of writing, halves of characters.
  /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u,
];

const isHostile = (text: string): boolean => {
  const plain = text.replace(/[\r\n\t]/g, ' ').normalize('NFKC');
  return hostile.some((sign) => sign.test(plain));
};

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(stringsIn);
}

/**
 * Numbers as written in texts and values, without their sign, to one decimal. `p95` and `v4` hold none. Those of a
 * text are looked for as it is written and in plain digits: `10²` holds 10, and 102 too.
 */
function numbersIn(value: unknown): string[] {
  if (typeof value === 'number') return [oneDecimal(value)];
  if (typeof value === 'string') return [value, inPlainDigits(value)].flatMap(numeralsIn);
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(numbersIn);
}

const numeralsIn = (text: string) => [...text.matchAll(numeral)].map(([found]) => oneDecimal(toNumber(found)));

/** A number may begin with its point; one that follows a single point is a part of a version. */
const numeral = /(?<![\p{L}\d_]|(?<!\.)\.)\d+(?:,\d{3})*(?:\.\d+)?|(?<![\p{L}\d_.])\.\d+/gu;

const inPlainDigits = (text: string): string => text.normalize('NFKC').replace(/\p{Nd}/gu, plainDigit);

/** Unicode has the digits of a script next to each other, from zero to nine, and complete tens of them at most. */
function plainDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(point - before - 1))) before++;
  return String(before % 10);
}

const toNumber = (text: string) => Number(text.replaceAll(',', ''));

const oneDecimal = (value: number) => (Math.round(Math.abs(value) * 10) / 10).toFixed(1);
