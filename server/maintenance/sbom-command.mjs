// npm run sbom: the locked packages that the service runs with, as CycloneDX.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const withoutDevelopment = ({ devDependencies: _, ...rest }) => rest;

const manifest = withoutDevelopment(read('package.json'));
const lock = read('package-lock.json');
const shipped = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev);
const packages = Object.fromEntries([['', withoutDevelopment(lock.packages[''])], ...shipped]);

// `npm sbom --omit dev` leaves out every package that a tool of development needs as well, React among them: so npm
// is shown a project without such tools, in a folder whose name it gives the project.
const parent = mkdtempSync(join(tmpdir(), 'sbom-'));
try {
  const folder = join(parent, manifest.name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
  const { status, error } = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (error) console.error(`npm could not be run: ${error.message}`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(parent, { recursive: true });
}
