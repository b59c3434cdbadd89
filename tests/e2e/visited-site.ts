import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { withoutOwnScripts } from '../support/form-page.ts';
import { type Site, startSite } from '../support/site.ts';

/** A page as it came, without any script having run. */
interface PageRead {
  status: number;
  text: string;
  /** What it says, without its marks. */
  content: string;
  /** Where it leads. */
  links: string[];
}

interface VisitedSite {
  site: Site;
  /** The session cookie of ann. */
  ann: string;
  /** Reads a page as ann, or as somebody else. */
  read(path: string, cookie?: string): Promise<PageRead>;
  /** The same of a page whose scores are computed in the background, once they are there. */
  readFinished(path: string): Promise<PageRead>;
  /** The same of a page that asks for no script, and says nothing unfinished. */
  readPlain(path: string, cookie?: string): Promise<PageRead>;
}

/** One site for the tests of a file, without limits for a session. What was done to the double is undone after each. */
export function visitSite(): VisitedSite {
  const visit: VisitedSite = {
    site: null as unknown as Site,
    ann: '',
    async read(path, cookie = visit.ann) {
      const { status, text } = await visit.site.visit(path, { cookie });
      return { status, text, content: getText(text), links: getLinks(text) };
    },
    async readFinished(path) {
      for (let tries = 0; tries < 300; tries++) {
        const page = await visit.read(path);
        if (!/so far|, updating/.test(page.content)) return page;
        await sleep(100);
      }
      throw new Error(`The scores of ${path} were never finished.`);
    },
    async readPlain(path, cookie) {
      const page = await visit.read(path, cookie);
      expect(withoutOwnScripts(page.text)).not.toMatch(/<script|rel="modulepreload"|<!--\$\?-->/);
      expect(page.content).not.toMatch(/undefined|NaN|\[object|Invalid Date/);
      return page;
    },
  };
  beforeAll(async () => {
    visit.site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
    visit.ann = await visit.site.signIn();
  });
  afterEach(() => {
    expect(visit.site.double.violations).toEqual([]);
    visit.site.double.reset();
  });
  afterAll(() => visit.site?.stop());
  return visit;
}

/** What HTML says, without its marks. */
export const getText = (html: string) =>
  html
    .replace(/<(script|style|title)\b.*?<\/\1>/gs, ' ')
    .replace(/<!--.*?-->/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replace(/(&nbsp;|\s)+/g, ' ')
    // No gap is seen between the end of a link and a comma or semicolon.
    .replace(/ (?=[,;:])/g, '');

const getLinks = (html: string) =>
  [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
