import { hash } from 'node:crypto';

/**
 * A token of a world in the shape the platform gives it, as a script sends it; the double takes it for the same token.
 * Worlds name their tokens `token-ann`, which is no shape of the platform's.
 */
export const platformToken = (name: string): string => `ghp_${hash('sha256', name).slice(0, 36)}`;

/** The header a script sends with a token of a world. */
export const bearerOf = (name: string): { authorization: string } => ({
  authorization: `Bearer ${platformToken(name)}`,
});
