import { inspect } from 'node:util';

const hidden = '[service token]';

/** The service's own platform token, which neither logs nor answers can show. Only background work may open it. */
export class ServiceToken {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
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
