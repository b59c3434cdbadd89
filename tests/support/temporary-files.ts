// Databases of tests are stored in memory where there is plenty of it: to wait for the disk is a large part of what they
// take. A container's /dev/shm is small, and is left alone. Each run has a folder of its own there, and the next run
// removes what one that was killed has left: in memory, some gigabytes that everything after it would lack.
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const roomNeeded = 6 * 1024 ** 3;
const prefix = 'test-run-';

const removed = { recursive: true, force: true };
const places = [memory, tmpdir()].filter((place) => existsSync(place));
for (const place of places)
  for (const name of readdirSync(place)) if (isLeftOver(name)) rmSync(join(place, name), removed);

const isMemoryUsed = process.env.TMPDIR === undefined && places.includes(memory) && roomIn(memory) >= roomNeeded;
const folder = join(isMemoryUsed ? memory : tmpdir(), `${prefix}${process.pid}`);
mkdirSync(folder, { recursive: true });
// PostgreSQL has a folder in it and runs as somebody else where the tests run as root.
chmodSync(folder, 0o755);
process.env.TMPDIR = folder;
process.once('exit', () => rmSync(folder, removed));

function isLeftOver(name: string): boolean {
  const owner = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN;
  return Number.isInteger(owner) && owner !== process.pid && !isRunning(owner);
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // Somebody else's process may not be signalled, and runs.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function roomIn(place: string): number {
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize;
}
