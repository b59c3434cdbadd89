/** An address on this site, or the start page: never somewhere that a foreign page chose. */
export const localPath = (given: unknown): string => (typeof given === 'string' && ownPath.test(given) ? given : '/');

/** Visible characters only: browsers leave out tabs and line ends, so that `/`, a tab, `/` begins a foreign address. */
const ownPath = /^\/(?![/\\])[\x21-\x7e]{0,2000}$/;
