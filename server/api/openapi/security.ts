import { accessTokenBearer, cronBearer, feedAddress, platformSignature, sharedAddress } from '../../access/rules.ts';
import { isSafe } from '../../access/same-site.ts';
import { exampleToken } from '../../access/token-text.ts';
import type { Operation } from '../operation.ts';

/** The schemes that an operation names; the cookie has the prefix `__Host-` where the service is reached over https. */
export const securitySchemes = (server: string) => ({
  session: {
    type: 'apiKey' as const,
    in: 'cookie' as const,
    name: server.startsWith('https:') ? '__Host-das_session' : 'das_session',
  },
  token: {
    type: 'http' as const,
    scheme: 'bearer',
    description: 'A GitHub personal access token.',
  },
  accessToken: {
    type: 'http' as const,
    scheme: 'bearer',
    description: `An access token of this service (\`dast_…\`), made under Settings. Examples show \`${exampleToken}\`, which opens nothing.`,
  },
  signature: {
    type: 'apiKey' as const,
    in: 'header' as const,
    name: 'X-Hub-Signature-256',
    description: '`sha256=` and the HMAC-SHA256 of the body with the secret of the webhook, in hexadecimal.',
  },
  feed: {
    type: 'apiKey' as const,
    in: 'query' as const,
    name: 't',
    description: 'A token of the kind `feed`, made under Settings.',
  },
  badge: {
    type: 'apiKey' as const,
    in: 'query' as const,
    name: 't',
    description: 'The token of one badge, in the address that was given away.',
  },
  timetable: {
    type: 'http' as const,
    scheme: 'bearer',
    description: '`CRON_SECRET`, sent by your own scheduler.',
  },
});

/** What a caller presents, any one of them; nothing where everybody may call. */
export function describeSecurity(operation: Operation) {
  if (operation.access === platformSignature) return [{ signature: [] }];
  if (operation.access === accessTokenBearer) return [{ accessToken: [] }];
  if (operation.access === cronBearer) return [{ timetable: [] }];
  if (operation.access === feedAddress) return [{ feed: [] }];
  if (operation.access === sharedAddress) return [{ badge: [] }, {}];
  if (operation.access.name === 'anyone') return [];
  return [
    { session: [] },
    ...(takesPlatformToken(operation) ? [{ token: [] }] : []),
    ...(takesAccessToken(operation) ? [{ accessToken: [] }] : []),
  ];
}

type Guarded = Pick<Operation, 'access' | 'method'>;

/** Whether a platform token as bearer does; other writes need a signed-in session. */
export const takesPlatformToken = ({ access, method }: Guarded) =>
  !access.isSessionOnly && (isSafe(method) || access.allowsTokenWrites);

/** Whether an access token of this service does: it reads metrics alone. */
export const takesAccessToken = ({ access, method }: Guarded) => access.allowsAccessTokens && isSafe(method);
