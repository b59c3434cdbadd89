// What `npm start` and the container run: picks the port, starts the built server in this process, prints when it
// answers.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { choosePort } from './launch-port.mjs';

/** Standard output is for the log. */
const print = (line) => process.stderr.write(`${line}\n`);

async function launch(env) {
  const build = join(dirname(dirname(fileURLToPath(import.meta.url))), 'build', 'server', 'index.js');
  if (!existsSync(build)) throw new Error('the application is not built; run `npm start`, or `npm run build` first.');
  // Stored where a new build deletes it. Where nothing may be written, as in the image, every start compiles anew.
  enableCompileCache(join(dirname(build), 'compiled'));
  env.NODE_ENV ||= 'production';
  env.HOST ||= '0.0.0.0';
  const port = await choosePort(env.PORT, env.HOST, print);
  env.PORT = String(port);
  env.APP_URL ||= `http://localhost:${port}`;
  await withPatience(import(pathToFileURL(build).href).then(({ listen }) => listen(port, env.HOST)));
  process.off('uncaughtException', exitWithError);
  for (const signal of earlyStops) process.off(signal, stopEarly);
  for (const line of readyLines(env, port)) print(line);
}

/** Prints every five seconds that something takes long. */
async function withPatience(work) {
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += 5;
    print(`Still starting (${seconds} s) …`);
  }, 5000);
  return work.finally(() => clearInterval(timer));
}

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

/** An expected error is one sentence; a defect is shown with its stack. */
function exitWithError(error) {
  const isDefect = [TypeError, ReferenceError, SyntaxError, RangeError].some((kind) => error instanceof kind);
  print(`Cannot start: ${isDefect ? error.stack : error.message || error.cause?.message || error.code || error}`);
  process.exit(1);
}

/** As a container's first process, nothing would stop this before the server listens to signals. */
const earlyStops = ['SIGINT', 'SIGTERM'];
const stopEarly = () => process.exit(1);

process.on('uncaughtException', exitWithError);
for (const signal of earlyStops) process.on(signal, stopEarly);
await launch(process.env);
