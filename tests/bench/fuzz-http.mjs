// Malformed and unusual requests over raw sockets against the built service: methods, targets, hosts, headers, cookies,
// encodings and bodies, over every operation of the API and every page. Counts answers of 500 and above, connections
// that end without an answer, and lines of the log that are not JSON.
//   node tests/bench/fuzz-http.mjs [requests] [seed] [connections]
import { connect } from 'node:net';
import { startDouble } from '../codehost/double.ts';
import { makeRequest } from './odd-requests.mjs';
import { seeded } from './seeded.mjs';
import { signIn, startServed } from './served.mjs';

/** The status of the answer and the code of a failure; status 0 without an answer, as where the rest of a body never comes. */
function send(url, text) {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  let heard = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    if (heard.length < 2000) heard += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(text, 'latin1');
  // What is framed as longer than it is waits for more.
  socket.setTimeout(500, () => socket.end());
  return new Promise((resolve) => {
    socket.once('close', () =>
      resolve({
        status: Number(/^HTTP\/1\.1 (?!100)(\d{3})/m.exec(heard)?.[1] ?? 0),
        code: /"code":"(\w+)"/.exec(heard)?.[1] ?? 'without a code',
      }),
    );
  });
}

/**
 * Sends this many requests to a service at `url` and answers what came: how often each status, and the requests that
 * were answered with 500 or above where that was not said on purpose. A 502 or 503 is one that the service means; they
 * are counted by their code.
 */
export async function fuzz({ url, origin, cookie, requests, seed, connections = 8 }) {
  const random = seeded(seed);
  const statuses = {};
  const failed = [];
  let left = requests;
  const worker = async () => {
    while (left-- > 0) {
      const text = makeRequest(random, { origin, cookie });
      const { status, code } = await send(url, text);
      const counted = status >= 500 ? `${status} ${code}` : status;
      statuses[counted] = (statuses[counted] ?? 0) + 1;
      if (status >= 500 && !meant.has(status)) failed.push({ status, text: text.slice(0, 400) });
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return { statuses, failed };
}

/** Lines of the log about defects. */
export const defectLines = (output) =>
  output.split('\n').filter((line) => {
    try {
      return JSON.parse(line).level >= 50;
    } catch {
      return false;
    }
  });

/** What is not configured here, and what the platform is said not to give. */
const meant = new Set([502, 503]);

/** Lines that are not JSON. */
export const strayLines = (output) =>
  output.split('\n').filter((line) => {
    try {
      return line !== '' && typeof JSON.parse(line) !== 'object';
    } catch {
      return true;
    }
  });

async function run(requests, seed, connections) {
  const double = await startDouble();
  const served = await startServed({
    ...{ CODEHOST_API_URL: double.url, CODEHOST_GRAPHQL_URL: double.graphqlUrl, LOG_LEVEL: 'info' },
  });
  try {
    const cookie = await signIn(served, 'token-ann');
    const { url, origin } = served;
    const { statuses, failed } = await fuzz({ url, origin, cookie, requests, seed, connections });
    console.log(`${requests} requests, seed ${seed}`);
    console.log(statuses);
    console.log(`answered with 500 or above, but for 502 and 503: ${failed.length}`);
    for (const one of failed.slice(0, 10)) console.log(JSON.stringify(one));
    const stray = strayLines(served.output());
    console.log(`lines of the log that are not JSON: ${stray.length}`, stray.slice(0, 5));
    const defects = defectLines(served.output());
    console.log(`lines of the log of level error: ${defects.length}`, defects.slice(0, 5));
    if (failed.length + stray.length + defects.length > 0) process.exitCode = 1;
  } finally {
    await served.close();
    await double.close();
  }
}

if (import.meta.main)
  await run(Number(process.argv[2] ?? 200_000), Number(process.argv[3] ?? 1), Number(process.argv[4] ?? 8));
