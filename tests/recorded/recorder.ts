import { hash } from 'node:crypto';
import { inertPolicy } from '../../server/http/headers.ts';
import { masked, requestId } from './masks.ts';

/** One request and its answer, without what is random in it. */
export interface Entry {
  /** Names the request; no two of a recording are the same. */
  name: string;
  status: number;
  /** In the order of their names; without those that every answer carries with the same value. */
  headers: Record<string, string>;
  body: string;
}

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** Headers that follow from the rest or from the moment. */
const left = new Set(['connection', 'content-length', 'date', 'keep-alive', 'last-modified', 'transfer-encoding']);

/** What every answer carries: reported only where it is something else, or missing. */
const usual: Record<string, string> = {
  // Pages have another.
  'content-security-policy': inertPolicy,
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-request-id': requestId,
};

/** Keeps what was requested and answered. */
export class Recorder {
  readonly entries: Entry[] = [];
  readonly #times = new Map<string, number>();
  #chapter = '';

  /** The state of the world that the next requests are about; part of their names. */
  chapter(title: string): void {
    this.#chapter = title;
  }

  add(request: string, { status, headers, text }: Answer): void {
    const title = `${this.#chapter}: ${request}`;
    const times = (this.#times.get(title) ?? 0) + 1;
    this.#times.set(title, times);
    const name = times === 1 ? title : `${title} (${times})`;
    const body = masked(text, headers.get('content-type') ?? '');
    this.entries.push({ name, status, headers: toLine(headers), body });
  }
}

function toLine(headers: Headers): Entry['headers'] {
  const found: Entry['headers'] = {};
  for (const [name, value] of Object.entries(usual)) if (!headers.has(name)) found[name] = `not ${value}`;
  for (const [name, value] of headers) {
    if (left.has(name) || usual[name] === value) continue;
    // It follows from the body before what is random in it was taken away.
    const shown = name === 'etag' ? value.replace(/"[^"]+"/, '"*"') : masked(value, 'text/html');
    found[name] = name === 'set-cookie' && found[name] ? `${found[name]}, ${shown}` : shown;
  }
  return Object.fromEntries(Object.entries(found).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** One line for each request, then one for each set of headers that they name. */
export function manifestOf(entries: readonly Entry[]): string {
  const sets = new Map(entries.map(({ headers }) => [digest(JSON.stringify(headers), 8), headers]));
  const lines = entries.map(({ name, status, headers, body }) => ({
    name,
    status,
    headers: digest(JSON.stringify(headers), 8),
    body: digest(body, 16),
  }));
  const named = [...sets].sort(([one], [other]) => (one < other ? -1 : 1)).map(([headers, are]) => ({ headers, are }));
  return [...lines, ...named].map((one) => `${JSON.stringify(one)}\n`).join('');
}

const digest = (text: string, length: number) => hash('sha256', text).slice(0, length);
