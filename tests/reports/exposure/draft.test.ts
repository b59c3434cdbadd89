import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFreeText } from '../../../server/reports/exposure/draft/free-text.ts';
import { expectProblem } from '../../api/endpoints.ts';
import { anyDatabase, type Service, startService } from '../../support/service.ts';

const [first, second, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(40)) as [string, string, string];
const id = 'GHSA-2222-3333-4444';

let service: Service;
beforeAll(async () => {
  service = await startService({ DATABASE_URL: anyDatabase });
  service.double.world.advisories = [
    { id, package: 'Some/Tool', range: '>= 4.0.0, < 4.3.5', patched: '4.3.5', withdrawn: true },
  ];
});
afterAll(() => service?.close());

const draft = (text: string) => service.ask('POST', '/api/exposure/draft', { as: 'token-ann', body: { text } });

test('27: an advisory in words gives its name, its commits and its time, and says what is not used', async () => {
  const text = `All tags of \`tj-x/changed\` led to ${first}, later ${second} and ${third}, between
    2025-03-14 17:02 UTC and 2025-03-15T11:40Z. Versions <= 45.0.7 are affected; event-stream@3.3.6 is something else.`;
  const { status, body } = await draft(text);
  expect(status).toBe(200);
  const window = { from: '2025-03-14T17:02:00.000Z', to: '2025-03-15T11:40:00.000Z' };
  expect(body.suspects).toEqual([
    {
      kind: null,
      name: 'tj-x/changed',
      match: [
        ...[first, second, third].map((value) => ({ type: 'sha', value })),
        { type: 'version_range', value: '<= 45.0.7' },
      ],
      window,
      source: { type: 'typed', id: null, url: null },
    },
  ]);
  expect(body.ignored).toEqual([{ text: 'event-stream@3.3.6', reason: 'no_action' }]);
  expect(body.warnings).toEqual(['tags_may_have_moved', 'commits_may_be_incomplete']);
  const name = [first, second, third].map((sha) => `tj-x/changed@${sha}`).join(',');
  // They may be the times of the detection, and a begin clears what ran before it.
  expect(body.question).toEqual({ name, kind: null, range: '<= 45.0.7', from: null, to: null });
  // The question is one that the search takes.
  const query = new URLSearchParams({ org: 'octo', name, range: '<= 45.0.7' });
  expect((await service.ask('GET', `/api/exposure/search?${query}`, { as: 'token-ann' })).status).toBe(200);
});

test('an id is looked up with one request, its packages of other kinds are left out', async () => {
  service.double.requests.length = 0;
  const { body } = await draft(`See https://github.com/advisories/${id.toLowerCase()}`);
  expect(service.double.requests.map(({ path }) => path).filter((path) => path.startsWith('/advisories'))).toHaveLength(
    1,
  );
  expect(service.double.violations).toEqual([]);
  expect(body).toMatchObject({
    suspects: [
      {
        name: 'Some/Tool',
        match: [{ type: 'version_range', value: '>= 4.0.0, < 4.3.5' }],
        window: { from: '2025-12-15T12:00:00.000Z', to: '2026-03-20T12:00:00.000Z' },
        source: { type: 'advisory', id },
      },
    ],
    ignored: [{ text: 'npm: left-pad', reason: 'no_action' }],
    advisory: { id, severity: 'high' },
    warnings: ['begins_before_publication', 'was_withdrawn', 'tags_may_have_moved'],
    // A begin clears what ran before it, and this one is a guess; a withdrawal ends no compromise.
    question: { name: 'Some/Tool', range: '>= 4.0.0, < 4.3.5', from: null, to: null },
  });
  expectProblem(await draft('GHSA-9999-9999-9999'), 404, 'not_found');
});

test('the JSON of an advisory is read without a request', async () => {
  service.double.requests.length = 0;
  const osv = {
    id,
    published: '2026-03-15T12:00:00Z',
    affected: [
      {
        package: { ecosystem: 'GitHub Actions', name: 'some/tool' },
        ranges: [{ events: [{ introduced: '4.0.0' }, { fixed: '4.3.5' }] }],
      },
      { package: { ecosystem: 'GitHub Actions', name: 'other/tool' } },
    ],
  };
  const { body } = await draft(JSON.stringify(osv));
  expect(body.suspects).toMatchObject([
    { name: 'some/tool', match: [{ type: 'version_range', value: '>= 4.0.0, < 4.3.5' }] },
    { name: 'other/tool', match: [{ type: 'any', value: null }] },
  ]);
  // A range is of all names of a search, so these are searched at every ref.
  expect(body.question).toMatchObject({ name: 'some/tool,other/tool', range: null });
  expect(service.double.requests.filter(({ path }) => path.startsWith('/advisories'))).toEqual([]);
});

test('each introduction of an OSV advisory is a range of its own, and listed versions are searched at every ref', async () => {
  const events = [{ introduced: '0' }, { fixed: '1.2.0' }, { introduced: '2.0.0' }, { last_affected: '2.1.0' }];
  const affected = { package: { ecosystem: 'GitHub Actions', name: 'some/tool' }, ranges: [{ events }] };
  const several = await draft(JSON.stringify({ id, affected: [affected] }));
  expect(several.body.suspects[0].match).toEqual([
    { type: 'version_range', value: '>= 0, < 1.2.0' },
    { type: 'version_range', value: '>= 2.0.0, <= 2.1.0' },
  ]);
  expect(several.body.question).toMatchObject({ name: 'some/tool', range: null });
  const listed = await draft(JSON.stringify({ id, affected: [{ ...affected, versions: ['9.0.0'] }] }));
  expect(listed.body.suspects[0].match).toEqual([{ type: 'any', value: null }]);
  const empty = await draft(JSON.stringify({ id, affected: [{ ...affected, ranges: [{ events: [] }] }] }));
  expect(empty.body.suspects[0].match).toEqual([{ type: 'any', value: null }]);
});

test('where nothing is understood, nothing is made up', async () => {
  const { status, body } = await draft('And/or nothing at all.');
  expect(status).toBe(200);
  expect(body).toMatchObject({ suspects: [], advisory: null, warnings: ['nothing_understood'], question: null });
  expectProblem(await draft(''), 400, 'invalid_request');
  expectProblem(await draft('x'.repeat(60 * 1024 + 1)), 400, 'invalid_request');
});

const isFix = (text: string) => ({ text, reason: 'possible_fix' });

test.each([
  [`https://github.com/a/b/commit/${first}`],
  [`\`a/b\` was compromised. Fixed in ${first}.`],
  [`\`a/b\` was compromised; patched in 4.3.5 (${first})`],
  [`\`a/b\` was compromised.\n\nThe fix:\n\n- ${first}`],
  [`Patched: a/b@${first}`],
  [`Patched versions\n* a/b@${first}`],
])('a commit that may be the fix is not taken as the bad one: %s', (text) => {
  const { suspects, ignored } = readFreeText(text);
  expect(suspects).toEqual([{ kind: null, name: 'a/b', match: [] }]);
  expect(ignored).toEqual([isFix(first)]);
});

test('what a text states stays beside what it gives as the fix', () => {
  const stated = readFreeText(`\`a/b\` led to ${first} (github.com/a/b/commit/${first}). It is fixed in ${second}.
    Versions < 4.3.5 are affected; update to the fixed a/b@v5.`);
  expect(stated.suspects).toEqual([
    {
      kind: null,
      name: 'a/b',
      match: [
        { type: 'sha', value: first },
        { type: 'version_range', value: '< 4.3.5' },
      ],
    },
  ]);
  expect(stated.ignored).toEqual([isFix('a/b@v5'), isFix(second)]);
  expect(readFreeText(`a/b@${first}, c/d@${second}`).ignored).toEqual([]);
});

test('commits beside versions that the search cannot take are not taken as all', async () => {
  const { body } = await draft(`a/b@${first}, versions < 2.0.0, and c/d@v1`);
  expect(body.question).toMatchObject({ name: 'a/b,c/d@v1', range: null });
});

test('fixed patterns find refs, images and commits near a name', () => {
  expect(readFreeText('uses: a/b@v4 and a/b/c@v1*').suspects).toEqual([
    { kind: null, name: 'a/b', match: [{ type: 'ref', value: 'v4' }] },
    { kind: null, name: 'a/b/c', match: [{ type: 'ref', value: 'v1*' }] },
  ]);
  expect(readFreeText('docker://ghcr.io/t/scan:0.69.4 was bad').suspects).toEqual([
    { kind: 'image', name: 'ghcr.io/t/scan', match: [{ type: 'ref', value: '0.69.4' }] },
  ]);
  expect(readFreeText('a/b@0e58ed8')).toMatchObject({
    suspects: [{ name: 'a/b', match: [] }],
    ignored: [{ text: 'a/b@0e58ed8', reason: 'short_sha' }],
  });
  expect(readFreeText('a/b@20240101')).toMatchObject({
    suspects: [{ name: 'a/b', match: [{ type: 'ref', value: '20240101' }] }],
    ignored: [],
  });
  expect(readFreeText(`only ${first}`)).toMatchObject({ suspects: [], ignored: [{ text: first, reason: 'no_name' }] });
  const long = `${'a/'.repeat(20_000)}@v1 ${'x'.repeat(20_000)}`;
  const start = performance.now();
  readFreeText(long);
  expect(performance.now() - start).toBeLessThan(2_000);
});
