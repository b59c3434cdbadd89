import { z } from 'zod';
import { organizationAdministrator } from '../../access/rules.ts';
import { noteListing } from '../../reports/kernel/notes.ts';
import { operation } from '../operation.ts';

/** An organization, or a team of it: `octo`, `octo/platform`. */
const teamName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,38}(\/[A-Za-z0-9._-]{1,100})?$/,
    'is neither an organization nor organization/team',
  )
  .meta({ description: '`organization` for everybody in it, or `organization/team`.' });

const upstreamFailures = ['not_found', 'upstream_unavailable'] as const;

const listHeaders = ['X-Partial', 'X-Partial-Reason', 'X-Stale', 'X-Data-Source', 'X-Data-As-Of'] as const;

export const getTeams = operation({
  method: 'GET',
  path: '/api/admin/teams',
  summary: 'Organizations that can sign in, or else the caller’s, and their teams that the caller’s token can read',
  access: organizationAdministrator,
  failures: upstreamFailures,
  headers: listHeaders,
  input: z.object({}),
  output: z.object({
    teams: z.array(z.object({ team: teamName, name: z.string(), org: z.string() })),
  }),
  rows: ({ teams }) => teams,
  async run(_, context, reply) {
    const { organizations } = await context.codehost();
    const allowed = context.services.env.SERVICE_ALLOWED_ORGS;
    const orgs = allowed.length > 0 ? allowed : (await organizations.mine()).items.map(({ login }) => login);
    const listings = await Promise.all(
      orgs.slice(0, maxOrganizations).map(async (org) => ({ org, listing: await organizations.teams(org) })),
    );
    for (const { listing } of listings) noteListing(reply, listing);
    return {
      teams: listings.flatMap(({ org, listing }) => [
        { team: org, name: `Everybody in ${org}`, org },
        ...listing.items.map(({ slug, name }) => ({ team: `${org}/${slug}`, name, org })),
      ]),
    };
  },
});

const maxOrganizations = 10;

export const getTeamMembers = operation({
  method: 'GET',
  path: '/api/admin/team-members',
  summary: 'Logins in a team or an organization, as the caller’s token reads them',
  access: organizationAdministrator,
  failures: upstreamFailures,
  headers: listHeaders,
  input: z.object({ team: teamName }),
  output: z.object({ team: z.string(), members: z.array(z.object({ login: z.string() })) }),
  rows: ({ members }) => members,
  async run({ team }, context, reply) {
    const [org = '', slug = null] = team.split('/');
    const listing = await (await context.codehost()).organizations.members(org, slug);
    noteListing(reply, listing);
    return { team, members: listing.items.map(({ login }) => ({ login })) };
  },
});
