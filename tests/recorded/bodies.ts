import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from './recorder.ts';

/** Writes each answer into a file of its own, broken into lines so that a difference can be seen. */
export function writeBodies(folder: string, entries: readonly Entry[]): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, status, headers, body } of entries) {
    const head = [name, status, ...Object.entries(headers).map(([key, value]) => `${key}: ${value}`)];
    const file = `${name.replace(/[^\w=.-]+/g, '_').slice(0, 120)}-${hash('sha256', name).slice(0, 8)}`;
    writeFileSync(join(folder, file), `${head.join('\n')}\n\n${inLines(body)}\n`);
  }
}

function inLines(body: string): string {
  if (body.startsWith('<')) return body.replaceAll('><', '>\n<');
  try {
    return JSON.stringify(JSON.parse(body), null, 1);
  } catch {
    return body;
  }
}
