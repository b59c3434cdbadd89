// What has to be in place, and how each part is seen to be current: a stamp holding the hash of what it was made from.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const sources = ['app', 'server', 'jobs', 'migrations', 'public'];
const settings = ['package-lock.json', 'package.json', 'react-router.config.ts', 'vite.config.ts', 'tsconfig.json'];

/** The locked packages. Needs the network, the first time and after the lock file changed. */
export function installPlan(root) {
  const stamp = join(root, 'node_modules', '.stamp');
  const wanted = () => `${hashFiles(root, ['package-lock.json', '.npmrc'])} ${process.platform} ${process.arch}`;
  return {
    doing: 'Installing packages (about a minute the first time)',
    done: 'Installed packages',
    byHand: 'npm ci --include=dev',
    cwd: root,
    command: () => ['npm', 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    // The packaged Node is among the things npm replaces, so npm itself runs on the system's.
    environment: (env) => ({ ...env, PATH: pathWithout(env.PATH, join(root, 'node_modules', '.bin')) }),
    isCurrent: () => readIfThere(stamp) === wanted() || (!existsSync(stamp) && installedByHand(root)),
    begin: () => rmSync(stamp, { force: true }),
    finish: () => writeStamp(stamp, wanted()),
  };
}

/** The server and browser bundles. Needs no network. */
export function buildPlan(root) {
  const stamp = join(root, 'build', '.stamp');
  const wanted = hashFiles(root, [...sources, ...settings]);
  const bin = join(root, 'node_modules', '.bin');
  return {
    doing: 'Building the application',
    done: 'Built the application',
    byHand: 'npm run build',
    cwd: root,
    command: () => [nodeFor(root), realpathSync(join(bin, 'react-router')), 'build'],
    environment: (env) => ({ ...env, NODE_ENV: 'production', PATH: `${bin}${delimiter}${env.PATH}` }),
    isCurrent: () => readIfThere(stamp) === wanted && existsSync(join(root, 'build', 'server', 'index.js')),
    begin: () => rmSync(stamp, { force: true }),
    finish: () => writeStamp(stamp, wanted),
  };
}

/** SHA-256 over names and contents of files and folders below root; what is absent counts as empty. */
export function hashFiles(root, names) {
  const hash = createHash('sha256');
  const add = (name) => {
    const path = join(root, name);
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) for (const entry of readdirSync(path).sort()) add(`${name}/${entry}`);
    else hash.update(`${name}\0`).update(readFileSync(path)).update('\0');
  };
  names.forEach(add);
  return hash.digest('hex');
}

/**
 * Makes `node` in node_modules/.bin when npm did not: npm 10 drops the link because several packages offer that name.
 * False when neither a packaged Node nor the running one can run the service.
 */
export function linkBundledNode(root) {
  const link = join(root, 'node_modules', '.bin', 'node');
  if (existsSync(link)) return true;
  const packaged = packagedNode(root);
  if (!packaged) return isNewEnough(process.versions.node);
  try {
    rmSync(link, { force: true });
    symlinkSync(join('..', packaged, 'bin', 'node'), link);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  return true;
}

/** True when the Node the service will run on starts at all: a packaged one needs a recent C library. */
export function nodeStarts(root) {
  return spawnSync(nodeFor(root), ['--version']).status === 0;
}

export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 22);
}

/** True when the tree npm recorded holds every locked package this platform needs, so that `npm ci` by hand suffices. */
export function installedByHand(root) {
  const present = packagesIn(join(root, 'node_modules', '.package-lock.json'));
  const locked = packagesIn(join(root, 'package-lock.json'));
  if (!present || !locked) return false;
  const complete = Object.entries(locked).every(
    ([path, entry]) => path === '' || entry.optional || present[path]?.version === entry.version,
  );
  return complete && (packagedNode(root) !== undefined || isNewEnough(process.versions.node));
}

const packagedNode = (root) =>
  [`node-${process.platform}-${process.arch}`, `node-bin-${process.platform}-${process.arch}`].find((name) =>
    existsSync(join(root, 'node_modules', name, 'bin', 'node')),
  );

function nodeFor(root) {
  const packaged = packagedNode(root);
  return packaged ? join(root, 'node_modules', packaged, 'bin', 'node') : process.execPath;
}

function packagesIn(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

const pathWithout = (path = '', folder = '') =>
  path
    .split(delimiter)
    .filter((each) => each !== folder)
    .join(delimiter);

const readIfThere = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

function writeStamp(stamp, content) {
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, content);
}
