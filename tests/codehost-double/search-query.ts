import type { Actor, Instant } from '../../server/metrics/kernel/facts.ts';
import { inCreatedRange } from './created-range.ts';
import type { DoubleIssue, DoublePullRequest } from './delivery.ts';
import { type DoubleRepository, fullName, sameName } from './world.ts';

/** An issue or a pull request, with the repository it is in. */
export type Found =
  | { kind: 'issue'; repository: DoubleRepository; item: DoubleIssue }
  | { kind: 'pr'; repository: DoubleRepository; item: DoublePullRequest };

export interface SearchQuery {
  fits(found: Found): boolean;
  compare(one: Found, other: Found): number;
}

/** Reads the qualifiers of an issue search. Throws at one that the platform, or the double, does not know. */
export function readSearch(text: string): SearchQuery {
  const terms = termsOf(text);
  const sort = terms.find(({ name }) => name === 'sort')?.value ?? 'created-desc';
  const filters = terms.filter(({ name }) => name !== 'sort');
  if (!filters.some(({ name, value }) => ['is', 'type'].includes(name) && kinds.includes(value)))
    throw new Error('A search for issues or pull requests must say is:issue or is:pr');
  const scopes = filters.filter(({ name }) => scopeNames.includes(name));
  const others = filters.filter(({ name }) => !scopeNames.includes(name));
  const tests = others.map(({ name, value, not }) => ({ test: testOf(name, value), not }));
  return {
    fits: (found) =>
      (scopes.length === 0 || scopes.some(({ name, value }) => inScope(found.repository, name, value))) &&
      tests.every(({ test, not }) => test(found) !== not),
    compare: comparison(sort),
  };
}

interface Term {
  name: string;
  value: string;
  not: boolean;
}

const scopeNames = ['repo', 'org', 'user'];
const kinds = ['issue', 'pr', 'pull-request'];

function termsOf(text: string): Term[] {
  return (text.match(/(?:[^\s"]|"[^"]*")+/g) ?? []).map((word) => {
    const [, minus = '', name = '', value = ''] = /^(-?)([a-z-]+):(.+)$/.exec(word) ?? [];
    if (name === '') throw new Error(`The double does not serve the search word ${word}`);
    return { name, value: value.replaceAll('"', ''), not: minus === '-' };
  });
}

function inScope(repository: DoubleRepository, name: string, value: string): boolean {
  return sameName(name === 'repo' ? fullName(repository) : repository.facts.owner, value);
}

type Test = (found: Found) => boolean;

function testOf(name: string, value: string): Test {
  const make = qualifiers[name];
  if (!make) throw new Error(`The double does not serve the search qualifier "${name}"`);
  return make(value);
}

const qualifiers: Record<string, (value: string) => Test> = {
  is: (value) => known(states, 'is', value),
  type: (value) => known(states, 'type', value),
  state: (value) => known(states, 'state', value),
  draft: (value) => (found) => found.kind === 'pr' && String(found.item.isDraft) === value,
  base: (value) => (found) => found.kind === 'pr' && found.item.baseBranch === value,
  head: (value) => (found) => found.kind === 'pr' && found.item.headBranch === value,
  author: (value) => (found) => isPerson(found.item.author, value),
  assignee: (value) => (found) => found.kind === 'issue' && found.item.assignees.some((one) => sameName(one, value)),
  'reviewed-by': (value) => (found) =>
    found.kind === 'pr' && found.item.reviews.some(({ reviewer }) => isPerson(reviewer, value)),
  'review-requested': (value) => (found) =>
    found.kind === 'pr' && found.item.requestedReviewers.some((one) => sameName(one, value)),
  review: (value) => known(decisions, 'review', value),
  label: (value) => (found) => value.split(',').some((one) => labelsOf(found).some((each) => sameName(each, one))),
  no: (value) => known(absences, 'no', value),
  comments: (value) => (found) => inNumberRange(commentsOf(found), value),
  reason: (value) => (found) => found.kind === 'issue' && found.item.closeReason === value.replaceAll(' ', '_'),
  archived: (value) => (found) => String(found.repository.facts.archived) === value,
  created: (value) => during(value, ({ item }) => item.createdAt),
  updated: (value) => during(value, ({ item }) => item.updatedAt),
  closed: (value) => during(value, ({ item }) => item.closedAt),
  merged: (value) => during(value, (found) => (found.kind === 'pr' ? found.item.mergedAt : null)),
};

const isPullRequest: Test = ({ kind }) => kind === 'pr';

const states: Record<string, Test> = {
  issue: ({ kind }) => kind === 'issue',
  pr: isPullRequest,
  'pull-request': isPullRequest,
  open: ({ item }) => item.closedAt === null,
  closed: ({ item }) => item.closedAt !== null,
  merged: (found) => found.kind === 'pr' && found.item.mergedAt !== null,
  unmerged: (found) => found.kind === 'pr' && found.item.mergedAt === null,
  draft: (found) => found.kind === 'pr' && found.item.isDraft,
  public: ({ repository }) => !repository.facts.private,
  private: ({ repository }) => repository.facts.private,
};

const decisions: Record<string, Test> = {
  none: (found) => found.kind === 'pr' && found.item.reviews.length === 0,
  required: (found) => found.kind === 'pr' && found.item.reviewDecision === 'review_required',
  approved: (found) => found.kind === 'pr' && found.item.reviewDecision === 'approved',
  changes_requested: (found) => found.kind === 'pr' && found.item.reviewDecision === 'changes_requested',
};

const absences: Record<string, Test> = {
  label: (found) => labelsOf(found).length === 0,
  assignee: (found) => found.kind === 'pr' || found.item.assignees.length === 0,
  milestone: () => true,
};

function known(table: Record<string, Test>, name: string, value: string): Test {
  const test = table[value];
  if (!test) throw new Error(`The double does not serve the search qualifier "${name}:${value}"`);
  return test;
}

/** `login`, `login[bot]` or `app/login` for a bot. */
function isPerson(actor: Actor | null, wanted: string): boolean {
  if (!actor) return false;
  const names = actor.isBot ? [actor.login, `app/${actor.login.replace(/\[bot\]$/, '')}`] : [actor.login];
  return names.some((one) => sameName(one, wanted));
}

const labelsOf = (found: Found) =>
  found.kind === 'pr' ? (found.item.labels ?? []) : found.item.labels.map(({ name }) => name);

const commentsOf = ({ item }: Found) => item.comments;

function inNumberRange(count: number, wanted: string): boolean {
  const [, sign = '', number = '', to] = /^(>=|<=|>|<|)(\d+)(?:\.\.(\d+))?$/.exec(wanted) ?? [];
  if (number === '') throw new Error(`"comments:${wanted}" is no range`);
  const bound = Number(number);
  if (to !== undefined) return count >= bound && count <= Number(to);
  return (
    { '>=': count >= bound, '<=': count <= bound, '>': count > bound, '<': count < bound }[sign] ?? count === bound
  );
}

const timeSyntax = /^(?:>=|<=|>|<)?(?:\*|\d{4}-\d\d-\d\d[^.]*)(?:\.\d+)?Z?(?:\.\.(?:\*|\d{4}-\d\d-\d\d.*))?$/;

function during(range: string, timeOf: (found: Found) => Instant | null): Test {
  const parts = range.replace(/^(>=|<=|>|<)/, '').split('..');
  if (!timeSyntax.test(range) || parts.some((one) => one !== '*' && Number.isNaN(Date.parse(one))))
    throw new Error(`"${range}" is no range of times`);
  return (found) => {
    const at = timeOf(found);
    return at !== null && inCreatedRange(at, range);
  };
}

function comparison(sort: string): SearchQuery['compare'] {
  const [, name = '', direction = 'desc'] = /^(created|updated|comments)(?:-(asc|desc))?$/.exec(sort) ?? [];
  if (name === '') throw new Error(`The double does not serve sort:${sort}`);
  const key = (found: Found) =>
    ({ created: found.item.createdAt, updated: found.item.updatedAt, comments: commentsOf(found) })[name] ?? 0;
  const sign = direction === 'asc' ? 1 : -1;
  return (one, other) => sign * (key(one) - key(other) || one.item.number - other.item.number);
}
