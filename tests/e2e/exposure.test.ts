import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Site, startSite } from '../support/site.ts';
import { getText } from './visited-site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.stop());

const path = '/demo/org/lumen-harbor/exposure';
const read = async (query = '') => {
  const { status, text } = await site.visit(path + query);
  expect(status).toBe(200);
  return { text, content: getText(text) };
};

test('an action in use leads to the search for it', async () => {
  const { text } = await site.visit('/demo/org/lumen-harbor/actions');
  expect(text).toContain(`${path}?name=harbor-tools%2Fsetup-lantern`);
});

test('before a question there is a form, and no answer', async () => {
  const { text, content } = await read();
  expect(text).toContain('name="name"');
  expect(content).toContain('Type the name of an action');
  expect(content).not.toContain('possibly affected,');
});

test('the answer comes first, then repositories and runs with their reasons', async () => {
  const { content } = await read('?name=harbor-tools/setup-lantern&ref=v2');
  expect(content).toMatch(/\d+ of \d+ repositories possibly affected, \d+ not known/);
  expect(content).toContain('Only logs can show that, and some were not read, or not to their end.');
  expect(content).toContain('the log was not read');
  expect(content).toContain('the workflow file was not read, or it is not certain which one ran');
  expect(content).not.toMatch(/\bsafe\b/i);
  const none = await read('?name=nobody/uses-this');
  expect(none.content).toContain('0 of');
  expect(none.content).toContain('No visible repository is known to have used a tag of it.');
  expect(none.content).toContain('No run is known to have had it in reach.');
});

test('logs show which runs downloaded the compromised commit, and which did not', async () => {
  const sha = hash('sha1', 'harbor-tools/setup-lantern@v2 of a stranger');
  const { content } = await read(`?name=harbor-tools/setup-lantern&sha=${sha}`);
  expect(content).toMatch(/1 of \d+ repositories affected, \d+ possibly affected/);
  expect(content).toContain(`The log names harbor-tools/setup-lantern@v2 at ${sha}.`);
  expect(content).toContain('The log or the record of the run names a commit that was compromised.');
  expect(content).toMatch(/Logs of [\d,]+ attempts were read\./);
  const cleared = await read(`?name=harbor-tools/setup-lantern&sha=${sha}&verdict=no`);
  expect(cleared.content).toContain('The log names all that was downloaded.');
});

test('secrets in reach have their names, and where no file was read they are not known', async () => {
  const sha = hash('sha1', 'harbor-tools/setup-lantern@v2 of a stranger');
  const { content } = await read(`?name=harbor-tools/setup-lantern&sha=${sha}`);
  expect(content).toContain('Affected means the compromised code was downloaded by the job.');
  expect(content).toMatch(/Secrets to rotate.*NPM_TOKEN/s);
  expect(content).toContain('not every workflow file was read.');
  expect((await read('?name=nobody/uses-this')).content).not.toContain('Secrets');
});

test('a repository and a verdict choose runs, and what is wrong in the form is said', async () => {
  const { content } = await read('?name=harbor-tools/setup-lantern&repo=lumen-harbor/tidewater-web&verdict=possible');
  expect(content).toContain('Runs of lumen-harbor/tidewater-web');
  expect((await read('?name=nothing')).content).toContain('is not owner/name');
});

test('repositories, secrets and runs are files, with all of them', async () => {
  const { text } = await read('?name=harbor-tools/setup-lantern&ref=v2');
  const links = [...text.matchAll(/href="([^"]*format=csv[^"]*)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  );
  const [repositories = [], secrets = [], runs = []] = await Promise.all(
    links.map(async (href) => (await site.visit(href)).text.trimEnd().split('\r\n')),
  );
  expect(repositories[0]).toContain('repo,verdict,likelihood');
  expect(repositories).toHaveLength(1 + 8);
  expect(secrets[0]).toContain('name,repositories,attempts');
  expect(secrets).toHaveLength(1 + 1);
  expect(runs[0]).toContain('repo,suspect,verdict');
  const total = /–\d+ of ([\d,]+)\sattempts/.exec(getText(text))?.[1] ?? '';
  expect(runs).toHaveLength(1 + Number(total.replaceAll(',', '')));
});
