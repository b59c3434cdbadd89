import { z } from 'zod';
import { bounded, clamped, org, repositoryName } from '../../api/parameters.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { invalidRequest } from '../../platform/problem.ts';
import { imagePrefix, isCommitId, isFixed, isShortSha, usedKinds } from '../../scan/action-uses.ts';
import { isRange } from '../../scan/action-versions.ts';
import type { Stretch } from '../../store/exposed-runs.ts';
import { moment, toEnd, toStart } from '../kernel/moments.ts';
import { exposureTables, verdictFilter } from './search-schema.ts';
import type { Match, Suspect } from './verdict/suspect.ts';

const maxMatches = 50;
const maxSuspects = 50;

/** A name, and behind an `@` where it was compromised. */
const named = String.raw`[A-Za-z0-9][A-Za-z0-9._:\-]*(\/(?!\.{1,2}(?:[\/@,]|$))[^\s@,\p{Cc}]{1,255})*(@[^\s@,\p{Cc}*]{1,255}\*?)?`;

/** Several, with commas between them. */
const list = (one: string, what: string) =>
  z
    .string()
    .regex(new RegExp(`^${one}(,${one}){0,${maxMatches - 1}}$`), {
      error: `is not one to ${maxMatches} ${what}, with commas between them`,
      abort: true,
    })
    .transform((text) => text.split(','))
    .optional();

const comparison = String.raw`(<=|>=|=|<|>) ?v?\d[\w.+-]*`;

const question = {
  org,
  name: z
    .string()
    .max(4000)
    .regex(new RegExp(`^${named}(,${named}){0,${maxSuspects - 1}}$`, 'u'), {
      error: `is not one to ${maxSuspects} names of actions or images, with commas between them`,
      abort: true,
    })
    .meta({
      description:
        '`owner/repo` of the action or workflow, with or without its path; of an image its name. Several with commas ' +
        'between them: each may say after an `@` at which commit, digest, tag or branch it was compromised.',
    }),
  kind: z.enum(usedKinds).optional().meta({ description: 'Without it actions and reusable workflows.' }),
  ref: list(String.raw`[^\s,*]{1,255}\*?`, 'refs').meta({
    description: 'Compromised tags or branches; a `*` at the end stands for anything. Without any of these: every ref.',
  }),
  sha: list('[0-9a-f]{40}', 'commit SHAs').meta({ description: 'Compromised commits; taken as all of them.' }),
  digest: list('sha256:[0-9a-f]{64}', 'digests').meta({
    description: 'Compromised images, or actions that are immutable packages.',
  }),
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
  secret: z
    .string()
    .regex(/^(?:\*|[A-Za-z_][A-Za-z0-9_]{0,254})$/, 'is not the name of a secret')
    .optional()
    .meta({
      description:
        'Lists attempts alone that had this secret in reach, in any case; `*`: those that could read every secret.',
    }),
};

function assertNamed({ name, kind, ref = [] }: Named, { addIssue }: z.RefinementCtx): void {
  const isRepository = name
    .split(',')
    .every((one) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,38}\/[A-Za-z0-9._-]{1,100}([/@].*)?$/.test(one));
  if (kind !== 'image' && !isRepository) addIssue({ code: 'custom', path: ['name'], message: 'is not owner/name' });
  if (kind === 'image') return;
  const written = name.split(',').flatMap((one) => one.split('@').slice(1));
  for (const [path, all] of Object.entries({ name: written, ref }))
    for (const short of all.filter(isShortSha))
      addIssue({ code: 'custom', path: [path], message: `has the short SHA ${short}: ${howToWriteShort}` });
}

const howToWriteShort = 'write all 40 digits, or refs/tags/ or refs/heads/ before the name of a ref';

interface Named {
  name: string;
  kind?: (typeof usedKinds)[number] | undefined;
  ref?: string[] | undefined;
}

export const questionInput = z.object(question).superRefine(assertNamed);

export type ExposureQuestion = z.output<typeof questionInput>;

export const searchInput = z
  .object({
    ...question,
    limit: clamped(1, 1000, 100).meta({ description: 'Attempts on a page.' }),
    page: bounded(1, 1000, 1),
    table: z.enum(exposureTables).default('uses'),
  })
  .superRefine(assertNamed);

export type SearchInput = z.output<typeof searchInput>;

/** As long as runs are stored by default. */
const maxWindowMs = 400 * dayMs;

/** From when to when is searched: without a begin as far back as is stored, and never beyond now. */
export function toStretch({ from, to }: ExposureQuestion, now: Instant): Stretch {
  const stretch = { from: toStart(from) ?? now - maxWindowMs, to: Math.min(toEnd(to) ?? now, now) };
  const refuse = (field: string, message: string) =>
    invalidRequest([{ field, reason: 'invalid', message: `${field} ${message}.` }]);
  if (stretch.from > now) throw refuse('from', 'lies in the future');
  if (stretch.from > stretch.to) throw refuse('to', 'lies before the begin of the search, or of what is stored');
  if (stretch.to - stretch.from > maxWindowMs) throw refuse('to', 'lies more than 400 days after from');
  return stretch;
}

/** A suspect, as it was named. */
export interface NamedSuspect {
  name: string;
  suspect: Suspect;
}

/** The suspects: each name once, with what was given for all of them. */
export function toSuspects(question: ExposureQuestion): NamedSuspect[] {
  const written = question.name.split(',').map((one) => {
    const [name = '', at] = one.split('@');
    return { name, at };
  });
  const shared = listShared(question);
  return [...Map.groupBy(written, ({ name }) => name.toLowerCase()).values()].flatMap((all) => {
    const [first] = all;
    const own = all.flatMap(({ at }) => (at === undefined ? [] : toMatch(at)));
    return first ? { name: first.name, suspect: toSuspect(first.name, [...own, ...shared], question) } : [];
  });
}

const listShared = ({ ref, sha, digest, range }: ExposureQuestion): Match[] => [
  ...(sha ?? []).map((value) => ({ type: 'sha' as const, value })),
  ...(digest ?? []).map((value) => ({ type: 'digest' as const, value })),
  ...(ref ?? []).map((value) => ({ type: 'ref' as const, value })),
  ...(range === undefined ? [] : [{ type: 'version_range' as const, value: range }]),
];

function toMatch(at: string): Match {
  if (isCommitId(at.toLowerCase())) return { type: 'sha', value: at.toLowerCase() };
  return isFixed(at) ? { type: 'digest', value: at } : { type: 'ref', value: at };
}

function toSuspect(name: string, match: Match[], { kind, from, to }: ExposureQuestion): Suspect {
  const [owner = '', repo = '', ...path] = name.split('/');
  return {
    kind: kind ?? null,
    actionKeys: [kind === 'image' ? `${imagePrefix}${name.toLowerCase()}` : `${owner}/${repo}`.toLowerCase()],
    path: kind === 'image' ? '' : path.join('/'),
    match: match.length === 0 ? [{ type: 'any', value: null }] : match,
    hasKnownId: false,
    hasCommitsOnly: !match.some(({ type }) => type === 'sha'),
    window: { from: toStart(from), to: toEnd(to) },
  };
}
