import { localPath } from '../platform/local-path.ts';

/** Where a query or a form wants to go on to afterwards: a path of this site, or the start page. */
export const returnTo = (given: URLSearchParams | FormData): string => localPath(given.get('return_to'));
