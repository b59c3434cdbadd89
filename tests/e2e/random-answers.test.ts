import { afterEach, expect, test } from 'vitest';
import { type RandomPlatform, startRandomPlatform } from '../codehost-double/random-platform.ts';
import { rounds } from '../support/rounds.ts';
import { type Site, startSite } from '../support/site.ts';
import { pages } from './known-pages.ts';
import { getText } from './visited-site.ts';

/** More of them find more: RANDOM_SEEDS=20 npx vitest run tests/e2e/random-answers.test.ts */
const seeds = Array.from({ length: rounds('RANDOM_SEEDS', 1, 3) }, (_, index) => index + 1);
const paths = pages.filter(({ path }) => !path.startsWith('/demo')).map(({ path }) => path);

let platform: RandomPlatform;
let site: Site | undefined;
afterEach(async () => {
  await site?.stop();
  await platform.close();
});

test.each(
  seeds.flatMap((seed) => [
    { seed, strange: false },
    { seed, strange: true },
  ]),
)('every page is shown, whatever the platform answers: %o', async (answers) => {
  platform = await startRandomPlatform(answers);
  const urls = { CODEHOST_API_URL: platform.url, CODEHOST_GRAPHQL_URL: platform.graphqlUrl };
  site = await startSite({ ...urls, RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  const cookie = await site.signIn();
  for (const path of paths) {
    const { status, text } = await site.visit(path, { cookie });
    expect(status, path).not.toBe(500);
    if (status === 502) expect(getText(text), path).toMatch(/GitHub response to .* could not be parsed/i);
    expect(text.trimEnd().endsWith('</html>'), path).toBe(true);
    expect(text.match(/<h1/g), path).toHaveLength(1);
    expect(getText(text), path).not.toMatch(/undefined|NaN|\[object|Invalid Date/);
  }
  expect(platform.violations).toEqual([]);
  expect(site.log().match(/^.*"level":(50|60).*$/gm)).toBeNull();
});
