import { Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Context } from '../access/context.ts';
import { isSituation, type Situation, situations } from '../demo/situations.ts';
import { invalidRequest } from '../platform/problem.ts';

/** The situation of the demo that links keep; the usual one is shown where an address names none. */
const name = 'situation';
const usual: Situation = 'mixed';

/** What an address of the demo asks to see. */
export function situationOf({ searchParams }: URL): Situation {
  const requested = searchParams.get(name) ?? '';
  return isSituation(requested) ? requested : usual;
}

/** @throws Problem `invalid_request` where an address of the demo asks for a situation that there is none of. */
export function assertSituation({ isDemo, url: { searchParams } }: Context): void {
  const requested = searchParams.get(name);
  if (!isDemo || !requested || isSituation(requested)) return;
  const message = `situation is none of ${Object.keys(situations).join(', ')}.`;
  throw invalidRequest([{ field: name, reason: 'invalid', message }]);
}

/** Every situation, the one looked at marked. */
export const listSituations = (url: URL) =>
  (Object.keys(situations) as Situation[]).map((one) => ({
    value: one,
    label: situations[one],
    current: one === situationOf(url),
  }));

const demoLinks = /(<a\b[^>]*?\shref=")(\/demo(?:[/?#][^"]*)?)(?=")/g;

/** The same page with its situation in every link to another of the demo, so that the address alone decides. */
export function keepSituation(html: string, { isDemo, url }: Pick<Context, 'isDemo' | 'url'>): string {
  const situation = situationOf(url);
  if (!isDemo || situation === usual) return html;
  return html.replace(demoLinks, (_, before: string, href: string) => before + addSituation(href, situation));
}

function addSituation(href: string, situation: Situation): string {
  const [address = '', fragment] = href.split('#', 2);
  if (/[?;]situation=/.test(address)) return href;
  const situated = `${address}${address.includes('?') ? '&amp;' : '?'}${name}=${situation}`;
  return fragment === undefined ? situated : `${situated}#${fragment}`;
}

/** The same of a page in parts, of which a tag may begin in one and end in another. */
export function situationKeeper(context: Pick<Context, 'isDemo' | 'url'>): Transform {
  const decoder = new StringDecoder();
  let open = '';
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const text = open + decoder.write(chunk);
      const end = text.lastIndexOf('>') + 1;
      open = text.slice(end);
      done(null, keepSituation(text.slice(0, end), context));
    },
    flush(done) {
      done(null, open + decoder.end());
    },
  });
}
