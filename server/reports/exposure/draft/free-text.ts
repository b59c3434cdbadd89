import type { Instant } from '../../../metrics/kernel/facts.ts';
import { isCommitId, isFixed, isShortSha } from '../../../scan/action-uses.ts';
import { isRange } from '../../../scan/action-versions.ts';
import type { Match } from '../verdict/suspect.ts';
import type { DraftSuspect, Ignored } from './draft-suspect.ts';

/** What a text names. */
export interface NamedInText {
  suspects: DraftSuspect[];
  ignored: Ignored[];
  /** Ids of advisories. */
  ids: string[];
  from: Instant | null;
  to: Instant | null;
}

const name = String.raw`[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100}(?:\/[A-Za-z0-9._\/-]{1,200})?`;
const patterns = {
  id: /\bGHSA(?:-[23456789cfghjmpqrvwx]{4}){3}\b|\bCVE-\d{4}-\d{4,10}\b/gi,
  image:
    /\b(?:docker:\/\/|ghcr\.io\/|docker\.io\/|quay\.io\/)[a-z0-9._/-]{1,200}(?::[\w][\w.-]{0,100})?(?:@sha256:[0-9a-f]{64})?/g,
  used: new RegExp(String.raw`(?<![\w.\/@-])(${name})@([A-Za-z0-9._\/-]{1,200}\*?)`, 'g'),
  linked: /\bgithub\.com\/([A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100})/g,
  quoted: new RegExp(String.raw`(?:${'`'}|uses:\s*)(${name})(?=${'`'}|\s|$)`, 'g'),
  sha: /\b[0-9a-f]{40}\b/gi,
  range: /(?:<=|>=|<|>|=) ?v?\d+(?:\.\d[\w.-]*)+(?:, ?(?:<=|>=|<|>|=) ?v?\d+(?:\.\d[\w.-]*)+)*/g,
  instant: /\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?: ?UTC|Z)\b/g,
  foreign: /(?<![\w./-])(@[a-z0-9._-]+\/[a-z0-9._-]+|[a-z0-9][a-z0-9._-]*)@\d+\.\d[\w.-]*/g,
};

/** Where a text names something. */
interface Place {
  at: number;
  name: string;
}

/** What a text of people names, by fixed patterns: nothing of it is used as an address or run. */
export function readFreeText(text: string): NamedInText {
  const places = listPlaces(text);
  const images = [...text.matchAll(patterns.image)].map(([written]) => toImage(written));
  const suspects = new Map<string, DraftSuspect>();
  const ignored: Ignored[] = [];
  const add = (named: string, match: Match[]) => {
    const known = suspects.get(named.toLowerCase()) ?? { kind: null, name: named, match: [] };
    const isNew = ({ type, value }: Match) => !known.match.some((one) => one.type === type && one.value === value);
    suspects.set(named.toLowerCase(), { ...known, match: [...known.match, ...match.filter(isNew)] });
  };
  for (const { name: named } of places) add(named, []);
  for (const { 1: named = '', 2: written = '', index } of text.matchAll(patterns.used)) {
    const ref = written.replace(/[./-]+$/, '');
    // Commits are read below.
    if (isCommitId(ref.toLowerCase())) continue;
    if (isOfFix(text, index)) ignored.push({ text: `${named}@${ref}`, reason: 'possible_fix' });
    else if (isShortSha(ref)) ignored.push({ text: `${named}@${ref}`, reason: 'short_sha' });
    else add(named, [{ type: 'ref', value: ref }]);
  }
  const { stated, possibleFixes } = listCommits(text);
  ignored.push(...possibleFixes.map((commit) => ({ text: commit, reason: 'possible_fix' as const })));
  const findNearest = (index: number) => places.findLast(({ at }) => at <= index) ?? places[0];
  for (const { commit, at } of stated) {
    const nearest = findNearest(at);
    if (nearest) add(nearest.name, [{ type: 'sha', value: commit }]);
    else ignored.push({ text: commit, reason: 'no_name' });
  }
  for (const { 0: range, index } of text.matchAll(patterns.range)) {
    const nearest = findNearest(index);
    if (isOfFix(text, index)) ignored.push({ text: range, reason: 'possible_fix' });
    else if (!isRange(range)) ignored.push({ text: range, reason: 'unreadable_range' });
    else if (nearest) add(nearest.name, [{ type: 'version_range', value: range }]);
    else ignored.push({ text: range, reason: 'no_name' });
  }
  for (const [written] of text.matchAll(patterns.foreign)) ignored.push({ text: written, reason: 'no_action' });
  if (suspects.size > 0) ignored.push(...images.map((one) => ({ text: one.name, reason: 'image' as const })));
  const times = [...text.matchAll(patterns.instant)].map(([, day, time]) => Date.parse(`${day}T${time}Z`));
  const known = times.filter(Number.isFinite);
  return {
    suspects: suspects.size > 0 ? [...suspects.values()] : images,
    ignored,
    ids: [...new Set((text.match(patterns.id) ?? []).map(toId))],
    from: known.length === 0 ? null : Math.min(...known),
    to: known.length < 2 ? null : Math.max(...known),
  };
}

/** Names with what follows them, in the order of the text. */
function listPlaces(text: string): Place[] {
  const found = [patterns.used, patterns.linked, patterns.quoted].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 1: named = '', index }) => ({ name: named.replace(/[./]+$/, ''), at: index })),
  );
  return found.filter(({ name: named }) => !/^advisories\//.test(named)).sort((one, other) => one.at - other.at);
}

/** Commits that a text states, and those that it only links or gives as a fix: taken as the bad ones they clear these. */
function listCommits(text: string): { stated: { commit: string; at: number }[]; possibleFixes: string[] } {
  const found = [...text.matchAll(patterns.sha)].map(({ 0: written, index }) => ({
    commit: written.toLowerCase(),
    at: index,
    mayFix: /\/commits?\/$/.test(text.slice(Math.max(0, index - 9), index)) || isOfFix(text, index),
  }));
  const stated = found.filter(({ mayFix }) => !mayFix);
  const named = new Set(stated.map(({ commit }) => commit));
  const possibleFixes = new Set(found.map(({ commit }) => commit).filter((commit) => !named.has(commit)));
  return { stated, possibleFixes: [...possibleFixes] };
}

const fixWord = /\b(?:fix(?:e[sd])?|patch(?:e[sd])?)\b/i;

/** Whether the sentence up to there, or the heading above it, is about a fix. */
function isOfFix(text: string, at: number): boolean {
  const before = text
    .slice(Math.max(0, at - 300), at)
    .replace(patterns.sha, '')
    .replace(/\S+@$/, '');
  const sentences = before.split(/[.;]\s|\n/);
  const [own = ''] = sentences.slice(-1);
  const said = /\w/.test(own) ? own : sentences.findLast((one) => /\w/.test(one));
  return fixWord.test(said ?? '');
}

function toImage(written: string): DraftSuspect {
  const text = written.replace(/^docker:\/\//, '');
  const [, named = text, tag, digest] = /^([^@:]+)(?::([\w.-]+))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(text) ?? [];
  const value = digest ?? tag;
  if (value === undefined) return { kind: 'image', name: named, match: [] };
  return { kind: 'image', name: named, match: [{ type: isFixed(value) ? 'digest' : 'ref', value }] };
}

/** As the platform writes them. */
const toId = (written: string): string => {
  const [prefix = '', ...rest] = written.split('-');
  return [prefix.toUpperCase(), ...rest.map((part) => part.toLowerCase())].join('-');
};
