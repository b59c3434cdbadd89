/** An address on this site, or the start page: never somewhere that a foreign page chose. */
export const localPath = (given: unknown): string =>
  typeof given === 'string' && /^\/(?![/\\])/.test(given) ? given : '/';
