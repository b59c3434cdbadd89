import { createHash } from 'node:crypto';
import { inspect } from 'node:util';

const hidden = '[service token]';

/** The service's own platform token, which neither logs nor answers can show. Only background work may open it. */
export class ServiceToken {
  readonly #value: string;
  /** By which clients of the platform tell tokens apart. */
  readonly hash: string;

  constructor(value: string) {
    this.#value = value;
    this.hash = createHash('sha256').update(value).digest('hex');
  }

  static open(token: ServiceToken): string {
    return token.#value;
  }

  toString = () => hidden;
  toJSON = () => hidden;
  [inspect.custom] = () => hidden;
}

export const sealServiceToken = (value: string): ServiceToken => new ServiceToken(value);

/** The token itself, for requests of nightly work. */
export const openServiceToken = (token: ServiceToken): string => ServiceToken.open(token);
