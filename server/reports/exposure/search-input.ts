import { z } from 'zod';
import { bounded, clamped, org, repositoryName } from '../../api/parameters.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { invalidRequest } from '../../platform/problem.ts';
import { imagePrefix, usedKinds } from '../../scan/action-uses.ts';
import { isRange } from '../../scan/action-versions.ts';
import type { Stretch } from '../../store/exposed-runs.ts';
import { verdictFilter } from './search-schema.ts';
import type { Match, Suspect } from './verdict/suspect.ts';

const maxMatches = 50;

/** Several, with commas between them. */
const list = (one: string, what: string) =>
  z
    .string()
    .regex(
      new RegExp(`^${one}(,${one}){0,${maxMatches - 1}}$`),
      `is not one to ${maxMatches} ${what}, with commas between them`,
    )
    .transform((text) => text.split(','))
    .optional();

const comparison = String.raw`(<=|>=|=|<|>) ?v?\d[\w.+-]*`;

/** A day that no month has is one of the next for JavaScript. */
function isInstant(text: string): boolean {
  const day = text.slice(0, 10);
  const start = Date.parse(day);
  return Number.isFinite(Date.parse(text)) && new Date(start).toISOString().startsWith(day);
}

/** A day in UTC, or an instant. */
const moment = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/, {
    error: 'is neither a day nor an instant',
    abort: true,
  })
  .refine(isInstant, 'is neither a day nor an instant')
  .optional();

const question = {
  org,
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]*(\/(?!\.{1,2}(?:\/|$))[^\s@\p{Cc}]+)*$/u, {
      error: 'is no name of an action or image',
      abort: true,
    })
    .max(300)
    .meta({ description: '`owner/repo` of the action or workflow, with or without its path; of an image its name.' }),
  kind: z.enum(usedKinds).optional().meta({ description: 'Without it actions and reusable workflows.' }),
  ref: list(String.raw`[^\s,*]{1,255}\*?`, 'refs').meta({
    description: 'Compromised tags or branches; a `*` at the end stands for anything. Without any of these: every ref.',
  }),
  sha: list('[0-9a-f]{40}', 'commit SHAs').meta({ description: 'Compromised commits; taken as all of them.' }),
  digest: list('sha256:[0-9a-f]{64}', 'digests').meta({ description: 'Compromised images.' }),
  range: z
    .string()
    .regex(new RegExp(`^${comparison}(, ?${comparison})*$`), {
      error: 'is no range as advisories write it',
      abort: true,
    })
    .refine(isRange, 'is no range as advisories write it')
    .optional()
    .meta({ description: 'Compromised versions, as in `>= 4.0.0, < 4.3.5`.' }),
  from: moment.meta({
    description: 'When the compromise began: a day in UTC or an instant. Without it as far as is stored.',
  }),
  to: moment.meta({ description: 'When it ended, as above; a day counts until its end. Without it until now.' }),
  repo: repositoryName.optional().meta({ description: 'Lists the attempts of this repository alone.' }),
  verdict: verdictFilter.optional().meta({ description: 'Lists attempts with this verdict alone.' }),
};

function assertName({ name, kind }: Named, { addIssue }: z.RefinementCtx): void {
  const isRepository = /^[A-Za-z0-9][A-Za-z0-9_-]{0,38}\/[A-Za-z0-9._-]{1,100}(\/.*)?$/.test(name);
  if (kind !== 'image' && !isRepository) addIssue({ code: 'custom', path: ['name'], message: 'is not owner/name' });
}

interface Named {
  name: string;
  kind?: (typeof usedKinds)[number] | undefined;
}

export const questionInput = z.object(question).superRefine(assertName);

export type ExposureQuestion = z.output<typeof questionInput>;

export const searchInput = z
  .object({
    ...question,
    limit: clamped(1, 1000, 100).meta({ description: 'Attempts on a page.' }),
    page: bounded(1, 1000, 1),
  })
  .superRefine(assertName);

export type SearchInput = z.output<typeof searchInput>;

/** As long as runs are stored by default. */
const maxWindowMs = 400 * dayMs;

const toStart = (text: string | undefined): Instant | null => (text === undefined ? null : Date.parse(text));

/** The last millisecond of a day. */
const toEnd = (text: string | undefined): Instant | null =>
  text === undefined ? null : Date.parse(text) + (text.includes('T') ? 0 : dayMs - 1);

/** From when to when is searched: without a begin as far back as is kept, and never beyond now. */
export function toStretch({ from, to }: ExposureQuestion, now: Instant): Stretch {
  const stretch = { from: toStart(from) ?? now - maxWindowMs, to: Math.min(toEnd(to) ?? now, now) };
  const refuse = (field: string, message: string) =>
    invalidRequest([{ field, reason: 'invalid', message: `${field} ${message}.` }]);
  if (stretch.from > now) throw refuse('from', 'lies in the future');
  if (stretch.from > stretch.to) throw refuse('to', 'lies before the begin of the search, or of what is kept');
  if (stretch.to - stretch.from > maxWindowMs) throw refuse('to', 'lies more than 400 days after from');
  return stretch;
}

/** What is asked about. */
export function toSuspect({ name, kind, ref, sha, digest, range, from, to }: ExposureQuestion): Suspect {
  const [owner = '', repo = '', ...path] = name.split('/');
  const match: Match[] = [
    ...(sha ?? []).map((value) => ({ type: 'sha' as const, value })),
    ...(digest ?? []).map((value) => ({ type: 'digest' as const, value })),
    ...(ref ?? []).map((value) => ({ type: 'ref' as const, value })),
    ...(range === undefined ? [] : [{ type: 'version_range' as const, value: range }]),
  ];
  return {
    kind: kind ?? null,
    actionKeys: [kind === 'image' ? `${imagePrefix}${name.toLowerCase()}` : `${owner}/${repo}`.toLowerCase()],
    path: kind === 'image' ? '' : path.join('/'),
    match: match.length === 0 ? [{ type: 'any', value: null }] : match,
    hasKnownId: false,
    hasCommitsOnly: sha === undefined,
    window: { from: toStart(from), to: toEnd(to) },
  };
}
