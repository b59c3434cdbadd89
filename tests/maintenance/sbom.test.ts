import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

interface Component {
  name: string;
  version: string;
  purl: string;
  externalReferences: { type: string }[];
}

interface Bom {
  bomFormat: string;
  metadata: { component: Component };
  components: Component[];
}

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const { name, version, dependencies, devDependencies } = read('package.json');
const nobodyListens = 'http://127.0.0.1:1/';

test('npm run sbom lists the locked packages that the service runs with, without the network', () => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'sbom'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 20_000_000,
    env: { ...process.env, npm_config_registry: nobodyListens, npm_config_fetch_retries: '0' },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const { bomFormat, metadata, components } = JSON.parse(stdout) as Bom;
  expect([bomFormat, metadata.component.name, metadata.component.version]).toEqual(['CycloneDX', name, version]);

  const listed = new Set(components.map((one) => `${one.name} ${one.version}`));
  for (const [needed, pinned] of Object.entries(dependencies)) expect(listed).toContain(`${needed} ${pinned}`);
  for (const tool of ['vitest', 'vite', 'playwright-core'])
    expect(listed).not.toContain(`${tool} ${devDependencies[tool]}`);
  const locked = Object.entries<{ version: string; dev?: boolean }>(read('package-lock.json').packages);
  const wanted = locked
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, one]) => `${path.split('node_modules/').at(-1)} ${one.version}`);
  expect([...listed].sort()).toEqual([...new Set(wanted)].sort());

  // Where a package was downloaded from is the business of whoever installed it.
  expect(components.flatMap((one) => one.externalReferences).filter(({ type }) => type === 'distribution')).toEqual([]);
});
