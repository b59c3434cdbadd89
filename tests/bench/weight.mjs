// The page, scripts and styles that a first view loads, by the tags of the served page; gzip.  node tests/bench/weight.mjs
import { gzipSync } from 'node:zlib';
import { startDouble } from '../codehost-double/double.ts';
import { signIn, startServed } from './served.mjs';

const limits = { 'page KB': 25, 'scripts KB': 15 };
/** A workflow with 100 runs, all of them in one table. */
const fullTable = '/repos/octo/fork/workflows/10051?tab=runs&per_page=100';
const signedIn = ['/', '/repos/octo/web', '/repos/octo/web/workflows/7001', fullTable, '/reports'];
const open = ['/setup', '/demo', '/docs', '/docs/api'];

const double = await startDouble();
const now = Date.now();
double.addRuns('octo/fork', 100, { from: now - 100 * 3_600_000, to: now - 3_600_000, firstId: 1 });
const served = await startServed({ CODEHOST_API_URL: double.url, CODEHOST_GRAPHQL_URL: double.graphqlUrl });
try {
  const cookie = await signIn(served, 'token-ann');
  // Where something is watched, every page has a bell.
  const rule = await fetch(`${served.url}/api/alerts`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ scope: 'repo:octo/web', metric: 'failure_rate', threshold: 50 }),
  });
  if (!rule.ok) throw new Error(`The rule was answered with ${rule.status}.`);
  const table = {};
  for (const path of [...open, ...signedIn]) table[path] = await weigh(path, signedIn.includes(path) ? { cookie } : {});
  console.table(table);
  for (const [column, limit] of Object.entries(limits)) {
    const heaviest = Math.max(...Object.values(table).map((row) => row[column]));
    console.log(`heaviest first view: ${heaviest} ${column} (limit ${limit})`);
    if (heaviest > limit) process.exitCode = 1;
  }
} finally {
  await served.close();
  await double.close();
}

async function weigh(path, headers) {
  const answer = await fetch(`${served.url}${path}`, { headers, redirect: 'manual' });
  const html = await answer.text();
  const scripts = new Set([...addresses(html, 'script', 'src'), ...links(html, 'modulepreload'), ...imported(html)]);
  const styles = new Set(links(html, 'stylesheet'));
  return {
    status: answer.status,
    'page KB': kb(gzipSync(html).length),
    scripts: scripts.size,
    'scripts KB': kb(await total(scripts)),
    styles: styles.size,
    'styles KB': kb(await total(styles)),
  };
}

function tags(html, name) {
  return html.match(new RegExp(`<${name}\\b[^>]*>`, 'g')) ?? [];
}

function attribute(tag, name) {
  return new RegExp(`\\b${name}="([^"]+)"`).exec(tag)?.[1];
}

function addresses(html, name, key) {
  return tags(html, name).flatMap((tag) => attribute(tag, key) ?? []);
}

function links(html, relation) {
  return tags(html, 'link').flatMap((tag) =>
    attribute(tag, 'rel') === relation ? (attribute(tag, 'href') ?? []) : [],
  );
}

/** What inline module scripts import. */
function imported(html) {
  const imports = /\bimport\s*(?:[^"'();]*\bfrom\s*)?\(?\s*["'](\/[^"']+\.js)["']/g;
  return [...html.matchAll(imports)].map(([, address]) => address);
}

async function total(addresses) {
  let bytes = 0;
  for (const address of addresses) {
    const answer = await fetch(new URL(address, served.url));
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    bytes += gzipSync(Buffer.from(await answer.arrayBuffer())).length;
  }
  return bytes;
}

function kb(bytes) {
  return Number((bytes / 1024).toFixed(1));
}
