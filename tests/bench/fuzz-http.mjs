// Malformed and unusual requests over raw sockets against the built service: methods, targets, hosts, headers, cookies,
// encodings and bodies, over every operation of the API and every page. Counts answers of 500 and above, connections
// that end without an answer, and lines of the log that are not JSON.
//   node tests/bench/fuzz-http.mjs [requests] [seed] [connections]
import { connect } from 'node:net';
import { startDouble } from '../codehost-double/double.ts';
import { makeRequest } from './odd-requests.mjs';
import { seeded } from './seeded.mjs';
import { signIn, startServed } from './served.mjs';

/** The first answer to a request, as text; empty without one, as where the rest of a body never comes. */
function send(url, text) {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  let heard = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    // What follows may be the page of a second answer; a failure of the first is far shorter.
    if (heard.length < mostHeard) heard += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(text, 'latin1');
  // What is framed as longer than it is waits for more.
  socket.setTimeout(500, () => socket.end());
  return new Promise((resolve) => {
    socket.once('close', () => resolve(heard));
  });
}

const mostHeard = 100_000;

/** The status of an answer, 0 without one; and the code of a failure, or why none can be read. */
export function readAnswer(heard) {
  const start = heard.search(/^HTTP\/1\.1 (?!1\d\d)\d{3}/m);
  if (start < 0) return { status: 0, code: '', isCodeless: false };
  const answer = heard.slice(start);
  const end = answer.indexOf('\r\n\r\n');
  const [head, rest] = end < 0 ? [answer, ''] : [answer.slice(0, end), answer.slice(end + 4)];
  const status = Number(head.slice(9, 12));
  const type = /^content-type: *([^;\r]*)/im.exec(head)?.[1] ?? 'no content type';
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  // Another answer may follow on the same connection.
  const body = length === undefined ? rest.split('\r\n0\r\n\r\n', 1)[0] : rest.slice(0, Number(length));
  if (body === '') return { status, code: `${type}, no body`, isCodeless: false };
  if (!/\bjson$/i.test(type) || /^content-encoding:/im.test(head)) return { status, code: type, isCodeless: false };
  const code = /"code":"(\w+)"/.exec(body)?.[1];
  return { status, code: code ?? 'without a code', isCodeless: code === undefined };
}

/**
 * Sends this many requests to a service at `url` and answers what came: how often each status, the requests that were
 * answered with 500 or above where that was not said on purpose, and those whose failure in JSON has no code. A 502 or
 * 503 is one that the service means; they are counted by their code, or by what the answer is where that is no JSON.
 */
export async function fuzz({ url, origin, cookie, requests, seed, connections = 8 }) {
  const random = seeded(seed);
  const statuses = {};
  const failed = [];
  const codeless = [];
  let left = requests;
  const worker = async () => {
    while (left-- > 0) {
      const text = makeRequest(random, { origin, cookie });
      const { status, code, isCodeless } = readAnswer(await send(url, text));
      const counted = status >= 500 ? `${status} ${code}` : status;
      statuses[counted] = (statuses[counted] ?? 0) + 1;
      if (status >= 500 && !meant.has(status)) failed.push({ status, text: text.slice(0, 400) });
      if (status >= 500 && isCodeless) codeless.push({ status, text: text.slice(0, 400) });
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return { statuses, failed, codeless };
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
    CODEHOST_API_URL: double.url,
    CODEHOST_GRAPHQL_URL: double.graphqlUrl,
    LOG_LEVEL: 'info',
  });
  try {
    const cookie = await signIn(served, 'token-ann');
    const { url, origin } = served;
    const { statuses, failed, codeless } = await fuzz({ url, origin, cookie, requests, seed, connections });
    console.log(`${requests} requests, seed ${seed}`);
    console.log(statuses);
    console.log(`answered with 500 or above, but for 502 and 503: ${failed.length}`);
    for (const one of failed.slice(0, 10)) console.log(JSON.stringify(one));
    console.log(`failures in JSON without a code: ${codeless.length}`);
    for (const one of codeless.slice(0, 10)) console.log(JSON.stringify(one));
    const stray = strayLines(served.output());
    console.log(`lines of the log that are not JSON: ${stray.length}`, stray.slice(0, 5));
    const defects = defectLines(served.output());
    console.log(`lines of the log of level error: ${defects.length}`, defects.slice(0, 5));
    if (failed.length + codeless.length + stray.length + defects.length > 0) process.exitCode = 1;
  } finally {
    await served.close();
    await double.close();
  }
}

if (import.meta.main)
  await run(Number(process.argv[2] ?? 200_000), Number(process.argv[3] ?? 1), Number(process.argv[4] ?? 8));
