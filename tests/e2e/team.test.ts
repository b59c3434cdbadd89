import { describe, expect, test } from 'vitest';
import { withoutOwnScripts } from '../support/form-page.ts';
import { visitSite } from './visited-site.ts';

const visit = visitSite();

const demo = '/demo/repos/lumen-harbor/beacon-api/team';

/** First cells of the rows of a table, and the whole rows in words. */
function table(text: string, caption: string) {
  const found = text.split('<table').find((one) => new RegExp(`<caption[^>]*>${caption}`).test(one)) ?? '';
  const body = found.slice(found.indexOf('<tbody'), found.indexOf('</tbody'));
  const rows = body.split('<tr').slice(1);
  return rows.map((row) =>
    row
      .split(/<t[hd]/)
      .slice(1)
      .map((cell) => cell.replace(/^[^>]*>/, '').replace(/<[^>]*>/g, ''))
      .map((cell) => cell.trim()),
  );
}
const getFirst = (rows: string[][]) => rows.map(([first = '']) => first);

describe('the team page of the demo', () => {
  test.each([
    ['', ['Pull requests and reviews', 'Review load', 'People']],
    ['&view=reviews', ['Pull requests and reviews', 'Review load', 'Who reviews whom']],
    ['&view=knowledge', ['Knowledge']],
    ['&view=workload', ['Workload']],
    ['&view=runs', ['Workflow runs per person']],
    ['&view=nonsense', ['Pull requests and reviews', 'Review load', 'People']],
  ])('has its parts under addresses of their own, without scripts: %s', async (view, titles) => {
    const { status, text } = await visit.read(`${demo}?range=30${view}`);
    expect(status).toBe(200);
    const main = text.slice(text.indexOf('<main'));
    expect([...main.matchAll(/<h2[^>]*>([^<]+)/g)].map(([, title]) => title)).toEqual(titles);
    expect(text).toContain('href="?range=30&amp;view=knowledge"');
    expect(withoutOwnScripts(text)).not.toContain('<script');
  });

  test('shows how reviews are spread before the table of all, by name', async () => {
    const { text } = await visit.read(demo);
    const load = /aria-label="Reviews given, by name"[\s\S]*?<\/section>/.exec(text)?.[0] ?? '';
    const names = [...load.matchAll(/contributor\/([\w-]+)\?/g)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(2);
    expect(names.length).toBeLessThanOrEqual(5);
    expect(names).toEqual(names.toSorted());
    expect(text).toContain('Up to five people, by name.');
    expect(text.indexOf('id="review-load"')).toBeLessThan(text.indexOf('id="people"'));
  });

  test('lists people by name, and otherwise only when requested', async () => {
    const people = (query: string) =>
      visit.read(`${demo}?range=30${query}`).then(({ text }) => table(text, 'People who merged'));
    const plain = await people('');
    expect(plain.length).toBeGreaterThan(3);
    expect(getFirst(plain)).toEqual(getFirst(plain).toSorted());
    const merged = (await people('&people=merged-desc')).map(([, count]) => Number(count));
    expect(merged).toEqual(merged.toSorted((one, other) => other - one));
    expect(merged).not.toEqual(plain.map(([, count]) => Number(count)));
    expect(await people('&people=nonsense-desc')).toEqual(plain);
  });

  test('keeps bots in tables of their own, and names nobody best', async () => {
    const { text, content: words } = await visit.read(demo);
    expect(getFirst(table(text, 'Bots'))).toEqual(['tide-updates']);
    expect(getFirst(table(text, 'People who merged'))).not.toContain('tide-updates');
    const runs = (await visit.read(`${demo}?view=runs`)).text;
    expect(getFirst(table(runs, 'People, by name'))).not.toContain('tide-updates');
    expect(getFirst(table(runs, 'Bots'))).toEqual(['tide-updates']);
    expect(words).not.toMatch(/\bbest\b|top contributor|most reliable|winner/i);
  });

  test('says what each window holds, and the windows differ', async () => {
    const merged = async (query: string) => {
      const { content: words } = await visit.read(`${demo}${query}`);
      return Number(/Merged pull requests (\d+)/.exec(words)?.[1]);
    };
    const [last, month, quarter] = await Promise.all([merged('?range=last-60'), merged(''), merged('?range=90')]);
    expect(await merged('?range=30')).toBe(month);
    expect(last).toBeLessThanOrEqual(60);
    expect(month).toBeGreaterThan(0);
    expect(quarter).toBeGreaterThan(month ?? 0);
  });

  test('leads from each number to what it is made of', async () => {
    const { text, content: words } = await visit.read(`${demo}?range=30`);
    const links = [...text.matchAll(/href="(\/demo\/explain\?metric=[^"]+)"/g)].map(([, href = '']) => href);
    const reviewed = links.find((one) => one.includes('reviewed_before_merge'))?.replaceAll('&amp;', '&') ?? '';
    const value = /Reviewed before merge (\d+) %/.exec(words)?.[1];
    expect((await visit.read(reviewed)).content).toContain(`Value ${value} %`);
  });
});

describe('the team page of a repository', () => {
  test('shows what the API answers, and a dash for what is not known', async () => {
    const response = await visit.site.visit('/api/codehost/repo-contributors?owner=octo&repo=web&days=30', {
      cookie: visit.ann,
    });
    const answer = JSON.parse(response.text);
    const { text, content: words } = await visit.read('/repos/octo/web/team?range=30');
    const people = answer.contributors.filter(({ is_bot }: { is_bot: boolean }) => !is_bot);
    const shown = table(text, 'People who merged').map((row) => [row[0], Number(row[1]), Number(row[5])]);
    expect(shown).toEqual(
      people
        .map((one: Record<string, unknown>) => [one.login, one.prs_merged, one.reviews_given])
        .toSorted(([a]: [string], [b]: [string]) => (a < b ? -1 : 1)),
    );
    expect(words).toContain(`Merged pull requests ${answer.prs_merged_total}`);
    expect(words).toContain('– no merged pull requests');
    expect(words).toMatch(/sample too small \(2\)(?! \(2\))/);
    expect(words).toContain('Beside them 1 pull request of deleted accounts was merged.');
  });

  test('says in which direction incomplete numbers err', async () => {
    const { content: words } = await visit.read('/repos/octo/api/team?range=90');
    expect(words).toContain('1 pull request has more reviews than were loaded: review counts are minimums');
  });

  test('says of an empty one that there is nothing yet', async () => {
    expect((await visit.read('/repos/octo/empty/team?range=last-60')).content).toContain('No merged pull requests.');
    const { content: words } = await visit.read('/repos/octo/empty/team?range=30');
    expect(words).toContain('No merged pull requests in the last 30 days.');
    expect(words).not.toContain('Review load');
    expect((await visit.read('/repos/octo/empty/team?view=runs')).content).toContain('No completed workflow runs.');
  });

  test('is not found for what cannot be seen, and refuses other windows', async () => {
    for (const view of ['', '?view=knowledge', '?view=workload', '?view=runs'])
      expect((await visit.read(`/repos/octo/nope/team${view}`)).status).toBe(404);
    expect((await visit.read('/repos/octo/web/team?range=60')).status).toBe(400);
  });

  test.each(['/team?org=octo&', '/team?repo=octo/web&', '/repos/octo/web/team?', '/working-habits?org=octo&'])(
    '%s names the range that is none as the address does',
    async (path) => {
      const { content } = await visit.readPlain(`${path}range=abc`);
      expect(content).toContain('Bad request. range is neither 30 nor 90.');
      expect(content).not.toContain('days is');
    },
  );

  test('says of a part that fails what is wrong, while the others are there', async () => {
    visit.site.double.fault({ path: '/repos/octo/fork/actions/*', times: 20 }, { kind: 'status', status: 502 });
    const overview = await visit.read('/repos/octo/fork/team?range=30');
    expect(overview.content).toContain('No merged pull requests in the last 30 days');
    const { content: words } = await visit.read('/repos/octo/fork/team?range=30&view=runs');
    expect(words).toMatch(/Workflow runs per person [^.]*\. .*Try again/);
  });
});

describe('the page for any repository', () => {
  test('opens with the people of the own organization, beside those that can be chosen', async () => {
    const { text, content } = await visit.read('/team');
    expect(text).toMatch(/<option value="octo\/web"/);
    expect(content).toMatch(/Team of \w+/);
    const demoTeam = await visit.read('/demo/team');
    expect(demoTeam.content).toContain('Team of lumen-harbor');
    expect(demoTeam.text).toContain('id="people"');
    expect((await visit.read('/team?repo=octo')).text).toContain('href="?repo=octo%2Fweb"');
  });

  test('shows 30 days of it, or 90', async () => {
    const { content: words } = await visit.read('/team?repo=octo%2Fweb');
    expect(words).toContain('Team of octo/web');
    expect(words).toContain('all 4 merged pull requests');
    const month = (await visit.read('/demo/team?repo=lumen-harbor%2Fbeacon-api')).content;
    const same = (await visit.read(`${demo}?range=30`)).content;
    const merged = (text: string) => /Merged pull requests (\d+)/.exec(text)?.[1];
    expect(merged(month)).toBe(merged(same));
    expect(merged((await visit.read('/demo/team?repo=lumen-harbor%2Fbeacon-api&range=90')).content)).not.toBe(
      merged(month),
    );
  });

  test.each(['octo%2Fnope', 'octo', 'a%2Fb%2Fc', '%2F', '-x%2Fy'])('says of %s that there is none', async (name) => {
    const { status, content: words } = await visit.read(`/team?repo=${name}`);
    expect(status).toBe(200);
    expect(words).toContain('Repository “');
    expect(words).toContain('octo/web');
  });

  test('a visitor is asked to sign in', async () => {
    const { status, location } = await visit.site.visit('/team?repo=octo%2Fweb');
    expect([status, location]).toEqual([302, '/setup?return_to=%2Fteam%3Frepo%3Docto%252Fweb']);
  });
});
