import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { planLink } from '../../store/identity-plan.ts';
import { quarterDays } from '../contributors/reading.ts';
import { instant } from '../kernel/instants.ts';
import { noteListing } from '../kernel/notes.ts';
import { repositoryFacts } from '../repositories/facts.ts';
import { findLikenesses, type Likeness, likenesses, listContributors } from './pairs.ts';

export const IdentitySuggestions = z
  .object({
    repo: z.string(),
    window_days: z.int(),
    contributors_compared: z.int().meta({ description: 'Accounts and names of git authors; bots are not looked at.' }),
    suggestions: z.array(
      z.object({
        alias: z.string(),
        alias_is_account: z.boolean().meta({ description: 'false: the name of a git author without an account.' }),
        alias_seen: z.int().meta({ description: 'In how many commits, pull requests, merges and reviews.' }),
        primary: z.string(),
        primary_seen: z.int(),
        reason: z.enum(likenesses),
        explanation: z.string(),
      }),
    ),
    total: z.int().meta({ description: 'How many there are; the most convincing 50 are listed.' }),
    partial: z.boolean().meta({ description: 'true when commits or pull requests of the window were not read.' }),
    generated_at: instant,
  })
  .meta({ id: 'IdentitySuggestions' });

const maxListed = 50;
const maxAgeMs = 30 * 60_000;

/**
 * Contributors of a repository that may be one person: only such as could be linked, and are not yet. Throws the
 * errors of the platform for a repository that the caller cannot see.
 */
export async function identitySuggestions(
  name: RepositoryName,
  context: Context,
  reply: Reply,
): Promise<Domain<typeof IdentitySuggestions>> {
  const { store } = context;
  const facts = await repositoryFacts(name, context, reply);
  const request = { since: facts.now - quarterDays * dayMs, maxAgeMs };
  const [pullRequests, commits, known] = await Promise.all([
    facts.read('pull_requests', request),
    facts.read('commits', request),
    store.identity.known(),
  ]);
  const contributors = listContributors({ pullRequests: pullRequests.items, commits: commits.items }, facts.people);
  const { owner, repo } = facts.repository;
  const found = findLikenesses(contributors, owner).filter(({ alias, primary }) => {
    const wanted = { alias: alias.login, primary: primary.login, ...(!alias.isAccount && { isName: true as const }) };
    const plan = planLink(known, wanted);
    return plan.outcome === 'possible' && plan.changes.length > 0;
  });
  const partial = pullRequests.partial || commits.partial;
  const stale = pullRequests.stale || commits.stale;
  const asOf = Math.min(pullRequests.asOf, commits.asOf);
  noteListing(reply, { partial, stale, asOf });
  return {
    repo: `${owner}/${repo}`,
    windowDays: quarterDays,
    contributorsCompared: contributors.length,
    suggestions: found.slice(0, maxListed).map(toSuggestion),
    total: found.length,
    partial,
    generatedAt: asOf,
  };
}

const toSuggestion = (likeness: Likeness) => ({
  alias: likeness.alias.login,
  aliasIsAccount: likeness.alias.isAccount,
  aliasSeen: likeness.alias.seen,
  primary: likeness.primary.login,
  primarySeen: likeness.primary.seen,
  reason: likeness.reason,
  explanation: sentences[likeness.reason](likeness),
});

const sentences: Record<Likeness['reason'], (likeness: Likeness) => string> = {
  same_name: ({ name }) => `Both write commits as “${name}”.`,
  similar_login: () => 'The logins are the same but for punctuation, numbers or what companies add.',
  name_like_login: ({ name }) => `The name “${name}” is spelled like the other’s login.`,
};
