// One setup at a time in one folder: a lock file its holder keeps fresh, so that a killed holder's is recognised.
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';

const staleAfterMs = 20_000;

/** Waits until no other setup runs here; returns how to release the lock. */
export async function acquireSetupLock(lock, print, pollMs = 500) {
  const mine = `${process.pid} ${Date.now()}`;
  let waited = 0;
  while (!claim(lock, mine)) {
    if (waited % 5000 < pollMs) print('Another setup is running in this folder; waiting for it …');
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    waited += pollMs;
  }
  const fresh = setInterval(() => utimesSync(lock, new Date(), new Date()), 2000);
  fresh.unref();
  const release = () => {
    clearInterval(fresh);
    process.off('exit', release);
    if (readContent(lock) === mine) rmSync(lock, { force: true });
  };
  process.on('exit', release);
  return release;
}

function claim(lock, mine) {
  try {
    writeFileSync(lock, mine, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return removeIfAbandoned(lock, mine) && claim(lock, mine);
  }
}

function removeIfAbandoned(lock, mine) {
  const holder = readContent(lock);
  if (holder === undefined || !isAbandoned(lock, holder)) return false;
  const aside = `${lock}.${mine.replace(' ', '-')}`;
  try {
    renameSync(lock, aside);
    // Somebody else removed the abandoned lock first and holds its own now: give it back.
    if (readContent(aside) === holder) rmSync(aside, { force: true });
    else renameSync(aside, lock);
    return true;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return false;
  }
}

function isAbandoned(lock, holder) {
  try {
    if (Date.now() - statSync(lock).mtimeMs > staleAfterMs) return true;
    process.kill(Number.parseInt(holder, 10), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

function readContent(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
