import { parseCookie } from 'cookie';

/** Set once by the script of a page, in its owner's browser. */
export const scriptCookie = 'das_scripts';

/** Whether this browser has shown that its scripts run, so that parts of a page may follow the page. */
export const runsScripts = (headers: Headers): boolean =>
  parseCookie(headers.get('cookie') ?? '')[scriptCookie] === '1';
