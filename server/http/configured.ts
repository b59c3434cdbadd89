import type { Context } from '../access/context.ts';
import { hostName } from '../platform/host-name.ts';

export interface Configured {
  label: string;
  value: string;
}

/** The configuration of the service as text and without secrets, for administrators. */
export function describeConfiguration({ services: { env } }: Context): Configured[] {
  return [
    ...(env.MODE === 'organization' ? aboutPeople(env) : []),
    { label: 'Database', value: describeDatabase(env.DATABASE_URL) },
    { label: 'Background work', value: backgroundLabels[env.SCHEDULER] },
    { label: 'Code host', value: env.CODEHOST_WEB_URL },
    { label: 'Sessions', value: `end ${env.SESSION_TTL_HOURS} hours after signing in` },
  ];
}

type Env = Context['services']['env'];

function aboutPeople(env: Env): Configured[] {
  const { SERVICE_ALLOWED_ORGS, DEFAULT_GROUP, ACCESS_ENFORCEMENT } = env;
  const organizations = SERVICE_ALLOWED_ORGS.join(', ');
  return [
    {
      label: 'Who may sign in',
      value: organizations ? `active members of ${organizations}` : `anyone with an account on ${hostName(env)}`,
    },
    {
      label: 'New people',
      value: DEFAULT_GROUP ? `join the group ${DEFAULT_GROUP}` : 'wait for a group',
    },
    {
      label: 'Features',
      value: ACCESS_ENFORCEMENT === 'on' ? 'enforced' : 'not enforced: denied access is logged but not blocked',
    },
  ];
}

function describeDatabase(url: string | undefined): string {
  if (!url) return 'none: nothing is stored and settings cannot be saved';
  return url.startsWith('pglite:') ? 'embedded, for a single process' : 'PostgreSQL';
}

const backgroundLabels: Record<Env['SCHEDULER'], string> = {
  internal: 'scheduled in this process',
  external: 'started externally through /api/cron',
  off: 'off',
};
