// All tests beside processes that keep each core busy: `node tests/bench/busy.mjs [RUNS] [PROCESSES]`.
// Prints the last line of each run with its duration and the load average at its end; fails where a test failed.
import { spawn, spawnSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';

const [runs = 3, processes = 2 * availableParallelism()] = process.argv.slice(2).map(Number);
const busy = Array.from({ length: processes }, () =>
  spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
);
process.once('exit', () => {
  for (const one of busy) one.kill('SIGKILL');
});

for (let run = 1; run <= runs; run++) {
  const begun = Date.now();
  const { status, stdout } = spawnSync('npm', ['exec', '--', 'vitest', 'run'], {
    encoding: 'utf8',
    env: { ...process.env, REQUIRE_POSTGRES: '1', NO_COLOR: '1' },
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const seconds = Math.round((Date.now() - begun) / 1000);
  console.log(`run ${run}: ${stdout.trimEnd().split('\n').at(-1)}, ${seconds} s, load ${loadavg()[0].toFixed(1)}`);
  if (status !== 0) {
    console.log(
      stdout
        .split('\n')
        .filter((line) => /^ *(FAIL|AssertionError|Error:)/.test(line))
        .join('\n'),
    );
    process.exitCode = 1;
  }
}
process.exit();
