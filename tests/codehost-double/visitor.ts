import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { fixedClock } from '../../server/platform/clock.ts';
import { type Double, startDouble } from './double.ts';
import { namedNow } from './named-world.ts';

export interface Row {
  [key: string]: unknown;
  id: number;
  name: string;
}

export interface Body {
  [key: string]: unknown;
  total_count: number;
  workflow_runs: Row[];
  jobs: Row[];
  message: string;
}

/** A body that is a list. */
export const rows = (body: unknown) => body as Row[];

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape, which the tests look into
export type Any = any;

/** The address of the next page. */
export const nextOf = (headers: Headers) => /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];

/** A double for the tests of one file, brought back to the named world after each, and plain requests to it. */
export function visitDouble() {
  const visit = { double: null as unknown as Double, get, ask, read, clean };
  beforeAll(async () => {
    visit.double = await startDouble({ clock: fixedClock(namedNow) });
  });
  afterEach(() => visit.double.reset());
  afterAll(() => visit.double.close());
  return visit;

  async function get(path: string, token = 'token-ann', headers: Record<string, string> = {}) {
    const address = path.startsWith('http') ? path : `${visit.double.url}${path}`;
    const answer = await fetch(address, { headers: { authorization: `Bearer ${token}`, ...headers } });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: (text ? JSON.parse(text) : null) as Body };
  }

  async function ask(query: string, token = 'token-ann') {
    const answer = await fetch(visit.double.graphqlUrl, {
      method: 'POST',
      headers: { authorization: `bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const { data, errors } = (await answer.json()) as {
      data?: Record<string, unknown> | null;
      errors?: { type?: string; message: string; path?: unknown[] }[];
    };
    return { status: answer.status, headers: answer.headers, data, errors };
  }

  /** What GraphQL says of one repository. */
  async function read(name: string, fields: string, token?: string): Promise<Any> {
    const [owner, repo] = name.split('/');
    return ((await ask(`{ repository(owner: "${owner}", name: "${repo}") { ${fields} } }`, token)).data as Any)
      .repository;
  }

  function clean() {
    expect(visit.double.violations).toEqual([]);
  }
}
