import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchExposure } from '../../../server/reports/exposure/search.ts';
import { searchInput } from '../../../server/reports/exposure/search-input.ts';
import { openDemo } from '../../support/demo-context.ts';
import { type Service, startService } from '../../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({});
});
afterAll(() => service?.close());

const repo = 'lumen-harbor/driftwood-docs';

const search = async (query: Record<string, string>) =>
  (await searchExposure(searchInput.parse({ org: 'lumen-harbor', limit: 1000, ...query }), openDemo(service))).uses;

test('the sample has runs that their log proves, and runs that the workflow file that ran clears', async () => {
  const sha = hash('sha1', 'harbor-tools/setup-lantern@v2 of a stranger');
  const uses = await search({ name: 'harbor-tools/setup-lantern', sha });
  expect(uses.filter(({ verdict }) => verdict === 'proven').map(({ proof }) => proof?.kind)).toContain('log_line');
  const executed = (await search({ name: 'harbor-tools/setup-lantern', sha, repo })).filter(
    ({ run }) => run.workflowPath,
  );
  expect(executed.length).toBeGreaterThan(0);
  for (const use of executed)
    expect(use).toMatchObject({
      verdict: 'no',
      logState: 'missing',
      proof: { kind: 'N2', detail: 'Neither the workflow file nor what it uses in turn names it.' },
      run: { workflowPath: '.github/workflows/publish.yml' },
    });
});

test('a pin in the workflow file that ran clears it of other commits, and leaves it open at its own', async () => {
  const pinned = '8b1f3c0d9e7a45264fd1b6c82a9e03d75b4c1f60';
  const of = async (sha: string) =>
    (await search({ name: 'actions/checkout', sha, repo })).filter(({ run }) => run.workflowPath);
  const [own] = await of(pinned);
  expect(own).toMatchObject({ verdict: 'possible', proof: null });
  const stranger = hash('sha1', 'harbor-tools/setup-lantern@v2 of a stranger');
  const [other] = await of(stranger);
  expect(other).toMatchObject({ verdict: 'no', proof: { kind: 'N4' } });
});

test('the sample has secrets in reach by name, and runs of which they are not known', async () => {
  const sha = hash('sha1', 'harbor-tools/setup-lantern@v2 of a stranger');
  const query = { org: 'lumen-harbor', limit: 1000, name: 'harbor-tools/setup-lantern', sha };
  const { uses, secrets, totals } = await searchExposure(searchInput.parse(query), openDemo(service));
  const proven = uses.filter(({ verdict }) => verdict === 'proven');
  expect(proven.find(({ run }) => run.event === 'push')).toMatchObject({
    jobs: ['test'],
    secrets: ['NPM_TOKEN'],
    handed: [],
    permissions: { contents: 'read' },
    permissionsSource: 'file',
  });
  expect(uses.some((one) => one.verdict === 'possible' && one.secrets === null)).toBe(true);
  expect(secrets).toMatchObject([{ name: 'NPM_TOKEN', repositories: ['lumen-harbor/tidewater-web'], handed: 0 }]);
  expect(totals.secretsNamed).toBe(1);
  expect(totals.attemptsSecretsUnknown).toBeGreaterThan(0);
});
