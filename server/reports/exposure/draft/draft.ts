import type { z } from 'zod';
import type { Context } from '../../../access/context.ts';
import type { Domain } from '../../../api/wire.ts';
import type { Instant } from '../../../metrics/kernel/facts.ts';
import { dayMs } from '../../../metrics/kernel/window.ts';
import { Problem } from '../../../platform/problem.ts';
import type { Match } from '../verdict/suspect.ts';
import { type Advisory, listSuspects, readAdvisory } from './advisory.ts';
import type { DraftSuspect, Ignored } from './draft-suspect.ts';
import { readFreeText } from './free-text.ts';
import type { draftInput, ExposureDraft } from './schema.ts';

type Answer = Domain<typeof ExposureDraft>;

/** An advisory tells when it was published, not when the compromise began. */
const beforePublicationMs = 90 * dayMs;

/**
 * What a pasted advisory says was compromised, for somebody to look over. Where it is an id alone, the advisory is
 * requested by that, once.
 * @throws Problem `not_found` for an id that the platform has not.
 */
export async function draftSearch({ text }: z.output<typeof draftInput>, context: Context): Promise<Answer> {
  const pasted = readAdvisory(parseJson(text));
  if (pasted) return toDraft(fromAdvisory(pasted), pasted);
  const found = readFreeText(text);
  const [id] = found.ids;
  if (found.suspects.length > 0 || id === undefined) return toDraft(found, null);
  const codehost = await context.codehost();
  const advisory = readAdvisory(await codehost.advisory(id));
  if (!advisory) throw new Problem('not_found', `GitHub has no reviewed advisory ${id}.`);
  return toDraft(fromAdvisory(advisory), advisory);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface Found {
  suspects: DraftSuspect[];
  ignored: Ignored[];
  from: Instant | null;
  to: Instant | null;
}

function fromAdvisory(advisory: Advisory): Found {
  const { publishedAt, withdrawnAt } = advisory;
  const from = publishedAt === null ? null : publishedAt - beforePublicationMs;
  return { ...listSuspects(advisory), from, to: withdrawnAt };
}

function toDraft({ suspects, ignored, from, to }: Found, advisory: Advisory | null): Answer {
  const source = advisory
    ? { type: 'advisory' as const, id: advisory.id, url: advisory.url }
    : { type: 'typed' as const, id: null, url: null };
  const hasMatch = (wanted: Match['type']) => suspects.some(({ match }) => match.some(({ type }) => type === wanted));
  return {
    suspects: suspects.map(({ kind, name, match }) => ({
      kind,
      name,
      match: match.length === 0 ? [{ type: 'any' as const, value: null }] : match,
      window: { from, to },
      source,
    })),
    ignored,
    advisory: advisory && {
      id: advisory.id,
      summary: advisory.summary,
      severity: advisory.severity,
      publishedAt: advisory.publishedAt,
      withdrawnAt: advisory.withdrawnAt,
      url: advisory.url,
    },
    warnings: [
      ...(advisory?.publishedAt ? (['begins_before_publication'] as const) : []),
      ...(advisory?.withdrawnAt ? (['was_withdrawn'] as const) : []),
      ...(hasMatch('version_range') ? (['tags_may_have_moved'] as const) : []),
      ...(hasMatch('sha') ? (['commits_may_be_incomplete'] as const) : []),
      ...(suspects.length === 0 ? (['nothing_understood'] as const) : []),
    ],
    question: suspects.length === 0 ? null : toQuestion(suspects),
  };
}

/**
 * As the search takes it. Versions are of all names there, so that several that differ are searched at every ref. What ran
 * outside of its time counts as not affected, and none of the times found bounds a compromise: a text may name that of its
 * detection.
 */
function toQuestion(suspects: readonly DraftSuspect[]): NonNullable<Answer['question']> {
  const ranges = suspects.map(({ match }) =>
    match.flatMap(({ type, value }) => (type === 'version_range' ? value : [])),
  );
  const [[range] = []] = ranges;
  const isShared = ranges.every((own) => own.length === 1 && own[0] === range);
  const written = suspects.flatMap(({ name, match }) => {
    const refs = match.filter(({ type }) => type !== 'version_range');
    // Refs beside versions that the search cannot take are not all of them.
    const isWhole = isShared || refs.length === match.length;
    return refs.length === 0 || !isWhole ? name : refs.map(({ value }) => `${name}@${value}`);
  });
  return {
    name: written.join(','),
    kind: suspects[0]?.kind ?? null,
    range: isShared ? (range ?? null) : null,
    from: null,
    to: null,
  };
}
