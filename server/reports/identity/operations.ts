import { z } from 'zod';
import { changedBy } from '../../access/context.ts';
import { organizationAdministrator } from '../../access/rules.ts';
import { adminWrites, operation } from '../../api/operation.ts';
import { login, repository } from '../../api/parameters.ts';
import type { IdentityLink } from '../../metrics/people/people.ts';
import { invalidRequest, Problem } from '../../platform/problem.ts';
import { type LinkPlan, planLink } from '../../store/identity-plan.ts';
import { instant } from '../kernel/instants.ts';
import { IdentitySuggestions, identitySuggestions } from './report.ts';

/** A login, or the name that a git author is shown with. */
const person = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}\p{Cs}]{1,100}$/u, 'is not 1 to 100 visible characters')
  .meta({ description: 'Account login, or the name of a git author without an account.' });

const aliasKind = z.enum(['account', 'name']);

const alias_kind = aliasKind.optional().meta({
  description:
    'Whether `alias` is the login of an account or the name of a git author, which may be spelled alike and be two people. Without it what may be a login is one.',
});

/** A person that is counted under another. */
interface Alias {
  alias: string;
  alias_kind?: z.output<typeof aliasKind> | undefined;
}

/** The alias as it is stored. */
function toAlias({ alias, alias_kind: kind }: Alias): Pick<IdentityLink, 'alias' | 'isName'> {
  const isName = kind ? kind === 'name' : !login.safeParse(alias).success;
  return { alias, ...(isName && { isName }) };
}

const linkErrorCode = z.enum(['invalid_request', 'link_cycle', 'marked_distinct']);

type LinkErrorCode = z.output<typeof linkErrorCode>;

const made = { created_by: z.string(), created_at: instant };

export const getIdentityLinks = operation({
  method: 'GET',
  path: '/api/admin/identity-links',
  summary: 'Which accounts and names are one person, and which were declared to be two',
  access: organizationAdministrator,
  input: z.object({}),
  output: z.object({
    links: z.array(z.object({ alias: z.string(), alias_kind: aliasKind, primary: z.string(), ...made })),
    distinct: z.array(z.object({ a: z.string(), b: z.string(), ...made })),
  }),
  async run(_input, { store }) {
    const { links, distinct } = await store.identity.listed();
    const listed = links.map(({ isName, ...link }) => {
      const kind: z.output<typeof aliasKind> = isName ? 'name' : 'account';
      return { ...link, aliasKind: kind };
    });
    return { links: listed, distinct };
  },
});

export const linkIdentity = operation({
  method: 'POST',
  path: '/api/admin/identity-links',
  summary: 'Count an account or a name under a main login, with everything that is linked to it',
  access: organizationAdministrator,
  failures: ['link_cycle', 'marked_distinct'],
  successes: { 200: 'It was linked so already.', 201: 'Linked.' },
  limit: adminWrites,
  input: z.object({ alias: person, alias_kind, primary: login }),
  output: z.object({
    primary: z.string().meta({ description: 'The main login in the end.' }),
    affected: z.array(z.string()).meta({ description: 'Logins and names that now lead there; none when all did.' }),
  }),
  async run(wanted, context, reply) {
    const link = { ...toAlias(wanted), primary: wanted.primary };
    const plan = await context.store.identity.link(link, await changedBy(context));
    if (plan.outcome !== 'possible') throw linkError(plan);
    if (plan.isNew) reply.status = 201;
    return { primary: plan.primary, affected: plan.changes.map((one) => one.login) };
  },
});

export const previewIdentityLink = operation({
  method: 'GET',
  path: '/api/admin/identity-links/preview',
  summary: 'What linking two logins would do',
  access: organizationAdministrator,
  input: z.object({ alias: person, alias_kind, primary: login }),
  output: z.object({
    alias: z.string(),
    primary: z.string().nullable().meta({ description: 'The main login in the end; null where it is rejected.' }),
    changes: z
      .array(
        z.object({
          login: z.string(),
          action: z.enum(['identity.linked', 'identity.relinked', 'identity.moved']),
          before: z.string().nullable().meta({ description: 'Where it led before.' }),
        }),
      )
      .meta({ description: 'None where it is rejected, or linked so already.' }),
    refused: z.object({ code: linkErrorCode, error: z.string() }).nullable(),
  }),
  async run(wanted, { store }) {
    const { alias } = wanted;
    const plan = planLink(await store.identity.known(), { ...toAlias(wanted), primary: wanted.primary });
    if (plan.outcome === 'possible') return { alias, primary: plan.primary, changes: plan.changes, refused: null };
    const code: LinkErrorCode = plan.outcome === 'same_login' ? 'invalid_request' : plan.outcome;
    return { alias, primary: null, changes: [], refused: { code, error: linkError(plan).message } };
  },
});

export const suggestIdentityLinks = operation({
  method: 'GET',
  path: '/api/admin/identity-links/suggestions',
  summary: 'Who of a repository’s contributors may be one person with two names',
  access: organizationAdministrator,
  failures: ['not_found', 'upstream_unavailable'],
  input: z.object(repository),
  output: IdentitySuggestions,
  rows: ({ suggestions }) => suggestions,
  run: identitySuggestions,
});

export const unlinkIdentity = operation({
  method: 'DELETE',
  path: '/api/admin/identity-links',
  summary: 'Count a login or a name for itself again',
  access: organizationAdministrator,
  failures: ['not_found'],
  limit: adminWrites,
  input: z.object({ alias: person, alias_kind }),
  output: z.object({ alias: z.string(), primary: z.string() }),
  async run(wanted, context) {
    const { identity } = context.store;
    const by = await changedBy(context);
    const gone = await identity.unlink(toAlias(wanted), by);
    if (gone) return gone;
    // A name may be one that looks like a login.
    const named = wanted.alias_kind ? null : await identity.unlink({ alias: wanted.alias, isName: true }, by);
    if (!named) throw new Problem('not_found', `${wanted.alias} is not linked.`);
    return named;
  },
});

const pair = z.object({ a: person, b: person });

export const markDistinct = operation({
  method: 'POST',
  path: '/api/admin/identity-links/distinct',
  summary: 'Declare two logins different people, so that they are never suggested as a link',
  access: organizationAdministrator,
  failures: ['already_linked'],
  successes: { 200: 'They were marked so already.', 201: 'Marked.' },
  limit: adminWrites,
  input: pair,
  output: pair,
  async run(wanted, context, reply) {
    const marked = await context.store.identity.markDistinct(wanted, await changedBy(context));
    if (marked.outcome === 'same_login') throw sameLogin('b', 'a');
    if (marked.outcome === 'already_linked')
      throw new Problem('already_linked', `${wanted.a} and ${wanted.b} are linked to each other. Unlink them first.`);
    if (marked.isNew) reply.status = 201;
    return marked.pair;
  },
});

export const unmarkDistinct = operation({
  method: 'DELETE',
  path: '/api/admin/identity-links/distinct',
  summary: 'Take back that two logins are different people',
  access: organizationAdministrator,
  failures: ['not_found'],
  limit: adminWrites,
  input: pair,
  output: pair,
  async run(wanted, context) {
    const gone = await context.store.identity.unmarkDistinct(wanted, await changedBy(context));
    if (!gone) throw new Problem('not_found', `${wanted.a} and ${wanted.b} are not marked as different people.`);
    return gone;
  },
});

/** Why a link is not made. */
function linkError(plan: Exclude<LinkPlan, { outcome: 'possible' }>): Problem {
  if (plan.outcome === 'same_login') return sameLogin('primary', 'alias');
  if (plan.outcome === 'link_cycle')
    return new Problem('link_cycle', 'The main login is itself linked to this one. Unlink it first.');
  const { a, b } = plan.pair;
  return new Problem('marked_distinct', `${a} and ${b} are marked as different people. Take that back first.`);
}

const sameLogin = (field: string, other: string) =>
  invalidRequest([{ field, reason: 'invalid', message: `${field} is the same login as ${other}.` }]);
