// What `npm start` and the container run: picks the port, starts the built server in this process, says when it answers.
import { existsSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { choosePort } from './launch-port.mjs';

const say = (line) => console.log(line);

async function launch(env) {
  const build = join(dirname(dirname(fileURLToPath(import.meta.url))), 'build', 'server', 'index.js');
  if (!existsSync(build)) throw new Error('the application is not built; run `npm start`, or `npm run build` first.');
  env.NODE_ENV ||= 'production';
  env.HOST ||= '0.0.0.0';
  const port = await choosePort(env.PORT, env.HOST, say);
  env.PORT = String(port);
  env.APP_URL ||= `http://localhost:${port}`;
  await startServing(build);
  await answers(localAddress(env.HOST), port);
  process.off('uncaughtException', refuse);
  for (const signal of earlyStops) process.off(signal, stopEarly);
  for (const line of readyLines(env, port)) say(line);
}

/** react-router-serve has no other entrance than its command line: it reads the build's path from there. */
async function startServing(build) {
  const serve = dirname(createRequire(import.meta.url).resolve('@react-router/serve/package.json'));
  process.argv[2] = build;
  await import(pathToFileURL(join(serve, 'dist', 'cli.js')).href);
}

async function answers(host, port) {
  const begun = Date.now();
  for (let said = 0; !(await isHealthy(host, port)); ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const seconds = Math.floor((Date.now() - begun) / 5000) * 5;
    if (seconds > said) say(`Still starting (${seconds} s) …`);
    said = seconds;
  }
}

const isHealthy = (host, port) =>
  new Promise((resolve) => {
    http
      .get({ host, port, path: '/api/health', agent: false, timeout: 2000 }, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      })
      .once('timeout', () => resolve(false))
      .once('error', () => resolve(false));
  });

const localAddress = (host) => ({ '0.0.0.0': '127.0.0.1', '::': '::1' })[host] ?? host;

function readyLines(env, port) {
  const here = `http://localhost:${port}`;
  return [
    `Ready: ${here}`,
    ...(env.APP_URL.startsWith(here) ? [] : [`  public address  ${env.APP_URL}`]),
    `  look around     ${here}/demo`,
    `  sign in         ${here}/setup`,
    '  stop            Ctrl-C',
  ];
}

/** A refusal to start is one sentence; a defect shows where it is. */
function refuse(error) {
  const isDefect = [TypeError, ReferenceError, SyntaxError, RangeError].some((kind) => error instanceof kind);
  console.error(
    `Cannot start: ${isDefect ? error.stack : error.message || error.cause?.message || error.code || error}`,
  );
  process.exit(1);
}

/** As a container's first process, nothing would stop this before the server listens to signals. */
const earlyStops = ['SIGINT', 'SIGTERM'];
const stopEarly = () => process.exit(1);

process.on('uncaughtException', refuse);
for (const signal of earlyStops) process.on(signal, stopEarly);
await launch(process.env);
