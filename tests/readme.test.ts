import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import routes from '../app/routes.ts';
import { migrations } from '../migrations/list.ts';
import { configurationTable, documentedTable } from './support/configuration.ts';

const root = resolve(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

it('the configuration table of the documentation is the one the schema makes', () => {
  expect(documentedTable()).toBe(configurationTable());
});

it('names the two commands', () => {
  expect(readme).toContain('npm start');
  expect(readme).toContain('npm test');
});

it('has at most 150 lines', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(150);
});

it.each(['README.md', 'CHANGELOG.md', 'SECURITY.md', 'tests/bench/README.md'])(
  'every link of %s leads to a file',
  (path) => {
    const links = [...readFileSync(join(root, path), 'utf8').matchAll(/\]\((?!https:)([^)\s]+)\)/g)].map(
      ([, href = '']) => href,
    );
    if (path === 'README.md') expect(links.length).toBeGreaterThan(20);
    for (const href of links) expect(existsSync(join(root, dirname(path), href)), href).toBe(true);
  },
);

it('every page of its table exists', () => {
  const table = readme.slice(readme.indexOf('## Pages'), readme.indexOf('## Where to read on'));
  const patterns = routes
    .flatMap((one) => one.children ?? [one])
    .flatMap(({ path = '' }) => (/\*/.test(path) ? [] : [new RegExp(`^/${path.replace(/:\w+/g, '[^/]+')}$`)]));
  const rows = [...table.matchAll(/^\| (`.+?`) \| /gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)]);
  let section = '';
  for (const [, path = ''] of rows) {
    const address = path.replace(/^…/, section);
    expect(
      patterns.some((pattern) => pattern.test(address)),
      address,
    ).toBe(true);
    if (!path.startsWith('…')) section = /\/(settings|admin)\//.exec(path) ? path.replace(/\/[^/]+$/, '') : path;
  }
  expect(rows.length).toBeGreaterThan(30);
});

it('every folder with decisions is named', () => {
  const files = globSync('{app,jobs,tests,server/*}/DECISIONS.md', { cwd: root });
  expect(files.length).toBeGreaterThan(15);
  for (const file of files) expect(readme).toContain(`](${file})`);
});

describe('the changelog', () => {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');

  it('has at most 80 lines', () => {
    expect(changelog.split('\n').length).toBeLessThanOrEqual(80);
  });

  it('has the version of the package as its newest, after what has none yet', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const headings = [...changelog.matchAll(/^## \[(.+?)\]/gm)].map(([, name]) => name);
    expect(headings.find((name) => name !== 'Unreleased')).toBe(version);
  });

  it('names every migration that an upgrade runs, in their order', () => {
    const names = migrations.slice(1).map(({ name }) => name.replace(/^Migration\d+_/, ''));
    expect(names.length).toBeGreaterThan(5);
    const line = changelog.split('\n').find((one) => one.startsWith('- Migrations, in order: ')) ?? '';
    expect([...line.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(names);
  });
});

describe('what is said of security', () => {
  const security = readFileSync(join(root, 'SECURITY.md'), 'utf8');
  const requirements = [
    ...security.slice(security.indexOf('## OWASP ASVS')).matchAll(/^\| (?!Requirement|What|---).+ \|$/gm),
  ];

  it('names only files that exist', () => {
    const files = [...security.matchAll(/`((?:app|server|tests)\/[^`\s]+)`/g)].map(([, path = '']) => path);
    expect(files.length).toBeGreaterThan(100);
    for (const file of new Set(files)) expect(existsSync(join(root, file)), file).toBe(true);
  });

  it('names of each requirement a test that shows it, or says that there is none', () => {
    expect(requirements.length).toBeGreaterThan(80);
    for (const [row] of requirements) expect(row).toMatch(/`tests\/[^`]+\.test\.tsx?`|no test|\*\*not done/);
  });

  it('has every chapter of the standard', () => {
    const chapters = [...security.matchAll(/^### V(\d+) /gm)].map(([, number]) => Number(number));
    expect(chapters).toEqual(Array.from({ length: 17 }, (_, index) => index + 1));
  });
});
