// Requests over raw sockets that are malformed or unusual, made from a seed.
import { operations } from '../../server/api/registry.ts';
import { pagePaths } from '../../server/http/page-access.ts';
import { administered, guarded, open } from '../api/endpoints.ts';

const methods = [
  'GET',
  'GET',
  'GET',
  'POST',
  'POST',
  'HEAD',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'PURGE',
];
const names = [
  'octo',
  'web',
  'secret',
  'nope',
  'ann',
  '7001',
  '..',
  '%2e%2e',
  '%00',
  '%zz',
  '%ff',
  'é',
  '💥',
  'a'.repeat(300),
  "'",
  '<b>',
  'CON',
  '__proto__',
  '-1',
  '1e99',
];
const hosts = [
  'localhost',
  '127.0.0.1',
  'elsewhere.example:99',
  '',
  'a b',
  'a/b',
  '[::1',
  '[::1]',
  'a@b',
  'x:99999',
  '\xff',
  'a'.repeat(5000),
];
const types = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'text/plain',
  'text/xml',
  '',
  'application/json; charset=utf-16',
  '\xff',
];
const bodies = [
  '',
  '{}',
  '[]',
  'null',
  '{"a":',
  '{"owner":{"toString":1}}',
  '{"__proto__":{"x":1}}',
  '\0\0',
  '\xff\xfe',
  'a=1&a=2&b=%zz',
  'theme=blue&return_to=//evil.example',
  'intent=x&csrf=y',
  'intent=constructor',
  'intent=__proto__',
  '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
  '--x\r\nContent-Disposition: form-data\r\n',
  `a=${'%'.repeat(3000)}`,
  'x'.repeat(70_000),
  '['.repeat(20_000),
];
const oddHeaders = [
  'Accept: text/html',
  'Accept: text/csv',
  'Accept: */*;q=x',
  'Accept-Encoding: br;q=2, gzip;q=-1',
  'If-None-Match: *',
  'If-None-Match: W/"',
  'Range: bytes=5-2',
  'Range: bytes=-1',
  'Range: x',
  'Expect: 100-continue',
  'Upgrade: websocket\r\nConnection: Upgrade',
  'Authorization: Bearer ',
  'Authorization: Bearer token-ann',
  'Authorization: Basic x',
  'Origin: null',
  'Origin: https://evil.example',
  'Origin: :',
  'Sec-Fetch-Site: cross-site',
  'X-Forwarded-For: , ,',
  'X-Forwarded-Proto: http',
  'X-Forwarded-Host: a b',
  'X-Request-Id: a b c d e f',
  'Idempotency-Key: x',
  'Content-Language: \xff',
  'X-React-Router-SPA-Mode: yes',
  'Referer: \x7f',
  `X-Long: ${'y'.repeat(10_000)}`,
  'If-Modified-Since: never',
  'User-Agent: Googlebot',
];
/** Parameters with a value that fits, so that many requests get as far as an answer. */
const parameters = {
  owner: 'octo',
  org: 'octo',
  repo: 'web',
  login: 'ana',
  days: '30',
  per_page: '10',
  limit: '10',
  workflow_id: '7001',
  run_id: '5011',
  format: 'csv',
  metric: 'lead_time',
  resource: 'summary',
  return_to: '/',
  reason: 'x',
  index: '',
  _routes: 'routes/home',
  done: '__proto__',
  page: '2',
};
const keys = Object.keys(parameters);

/** Addresses that end the session; with its cookie the rest of the run would be that of a stranger. */
const endsSession = /sign-out|auth\/(logout|setup|sessions)|settings\/session/;

/** Values of every type of JSON that few requests have. */
const oddValues = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  'x'.repeat(3000),
  '\u0000',
  '\ud800',
  '💥',
  '2026-02-30T00:00:00Z',
  [],
  ['ann', 1],
  {},
  { toString: 1 },
];

/** Requests that are answered, of every operation that leaves the session as it is. */
const goodRequests = [...guarded, ...administered, ...open].filter(({ path }) => !endsSession.test(path));

/** One request as text. */
export function makeRequest(random, { origin, cookie }) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const chance = (share) => random() < share;
  if (chance(0.3)) return almostGood({ pick, chance, origin, cookie });
  const filled = (path) => path.replace(/:\w+|\*|\[\w+\]/g, () => pick(names));
  const page = () =>
    `/${filled(pick([...pagePaths, 'theme', 'sign-out', 'demo', 'demo/repos/:owner/:repo', 'assets/*', '__manifest']))}`;
  const operation = chance(0.5) ? pick(operations) : null;
  const path = operation ? filled(operation.path) : `${page()}${chance(0.2) ? '.data' : ''}`;
  const given = chance(0.6) ? keys.filter((key) => operation?.input.shape[key] ?? chance(0.1)) : [];
  const odd = Array.from({ length: Math.floor(random() * 3) }, () => `${pick(keys)}=${pick(names)}`);
  const query = [...given.map((key) => `${key}=${parameters[key]}`), ...odd].join('&');
  const plain = query ? `${path}?${query}` : path;
  const target = chance(0.95)
    ? plain
    : pick([
        `http://elsewhere.example${plain}`,
        '*',
        `/${plain}`,
        plain.replaceAll('/', '\\'),
        'localhost:443',
        `${plain}#x`,
        'http://',
        '',
      ]);
  const method = chance(0.6) ? (operation?.method ?? pick(['GET', 'GET', 'POST'])) : pick(methods);
  const body = method === 'GET' || method === 'HEAD' ? (chance(0.03) ? pick(bodies) : null) : pick(bodies);
  const lines = [`${method} ${Buffer.from(target).toString('latin1')} HTTP/${chance(0.02) ? '1.0' : '1.1'}`];
  if (chance(0.99)) lines.push(`Host: ${chance(0.9) ? 'localhost' : pick(hosts)}`);
  if (chance(0.6)) lines.push(`Origin: ${origin}`);
  if (chance(0.6))
    lines.push(
      `Cookie: ${chance(0.8) && !endsSession.test(path) ? cookie : pick(['das_session=x', 'theme=%zz', '=;;=', `das_session=${'z'.repeat(5000)}`, 'das_prefs=a.b'])}`,
    );
  for (let n = Math.floor(random() * 3); n > 0; n--) lines.push(pick(oddHeaders));
  const framed = body === null ? '' : framedBody(body, { lines, pick, chance });
  return `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${framed}`;
}

/** A request of a signed-in browser that is good but for one value of its query or its body. */
function almostGood({ pick, chance, origin, cookie }) {
  const { method, path, address = path, query, body } = pick(goodRequests);
  const fields = new URLSearchParams(query);
  const changed = { ...body };
  const inBody = Object.keys(changed).length > 0;
  if (inBody) changed[pick(Object.keys(changed))] = pick(oddValues);
  else if (query) fields.set(pick([...fields.keys()]), pick(names));
  if (chance(0.1)) fields.append(pick(keys), pick(names));
  const text = inBody ? JSON.stringify(changed) : '';
  const lines = [
    `${method} ${fields.size > 0 ? `${address}?${fields}` : address} HTTP/1.1`,
    'Host: localhost',
    `Origin: ${origin}`,
    `Cookie: ${cookie}`,
    'Connection: close',
  ];
  if (inBody) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`);
  return `${lines.join('\r\n')}\r\n\r\n${Buffer.from(text).toString('latin1')}`;
}

/** A body with the headers that frame it, now and then wrongly. */
function framedBody(body, { lines, pick, chance }) {
  lines.push(`Content-Type: ${pick(types)}`);
  if (chance(0.8)) {
    lines.push(`Content-Length: ${chance(0.98) ? body.length : pick([-1, 'x', body.length + 10, 10 ** 9])}`);
    return body;
  }
  lines.push('Transfer-Encoding: chunked');
  return chance(0.95) ? `${body.length ? `${body.length.toString(16)}\r\n${body}\r\n` : ''}0\r\n\r\n` : `zz\r\n${body}`;
}
