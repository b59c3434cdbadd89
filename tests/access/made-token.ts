import type { FeatureKey } from '../../server/access/features.ts';
import type { Service } from '../support/service.ts';

/** What a script sends with an access token of the service. */
export const ownBearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

export interface MadeToken {
  id: number;
  /** Its text. */
  token: string;
  headers: { authorization: string };
}

/** An access token that the owner of this token of the world makes, with these features. */
export async function makeToken(
  service: Service,
  as: string,
  features: readonly FeatureKey[],
  more: object = {},
): Promise<MadeToken> {
  const { status, body, text } = await service.ask('POST', '/api/tokens', {
    as,
    body: { name: 'Made by a test', features, ...more },
  });
  if (status !== 201) throw new Error(`No token was made: ${text}`);
  return { id: body.access_token.id, token: body.token, headers: ownBearer(body.token) };
}
