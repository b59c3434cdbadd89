// Run inside the container, by its own user: what it is allowed, what it holds and what it answers.
import { deepStrictEqual as equal, match, ok } from 'node:assert';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const status = readFileSync('/proc/self/status', 'utf8');
equal([process.getuid(), process.getgid()], [1001, 1001]);
match(status, /^CapEff:\t0+$/m);
match(status, /^NoNewPrivs:\t1$/m);
equal(process.constrainedMemory(), 512 * 1024 * 1024);
for (const file of ['/app/a', '/app/data/a', '/usr/a', '/etc/a'])
  equal([file, outcome(() => writeFileSync(file, ''))], [file, 'EROFS']);
equal(outcome(() => writeFileSync('/tmp/a', '')), null);
// Of the pages there is the documentation alone, as agents read it.
const shipped = ['app', 'build', 'data', 'migrations', 'node_modules', 'package.json', 'public', 'server'];
equal(readdirSync('/app').sort(), shipped);
equal(readdirSync('/app/app/routes', { recursive: true }).includes('docs/content/start.md'), true);

function outcome(work) {
  try {
    work();
    return null;
  } catch (error) {
    return error.code;
  }
}

const began = performance.now();
let health = null;
while (health === null && performance.now() - began < 60_000) {
  health = await ask('/api/health').catch(() => sleep(200, null));
}
equal(health, [200, '{"status":"ok"}']);
equal((await ask('/api/ready'))[0], 200);
const [demo, page] = await ask('/demo');
equal(demo, 200);
ok(page.includes('</html>'));
console.log('non-root, no capability, read-only, 512 MB: /api/health, /api/ready and /demo answer');

async function ask(path) {
  const answer = await fetch(`http://127.0.0.1:3000${path}`);
  return [answer.status, await answer.text()];
}
