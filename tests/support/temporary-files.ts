// Databases of tests are stored in memory where there is plenty of it: to wait for the disk is a large part of what they
// take. A container's /dev/shm is small, and is left alone.
import { existsSync, statfsSync } from 'node:fs';

const memory = '/dev/shm';
const roomNeeded = 6 * 1024 ** 3;

if (process.env.TMPDIR === undefined && existsSync(memory)) {
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize >= roomNeeded) process.env.TMPDIR = memory;
}
