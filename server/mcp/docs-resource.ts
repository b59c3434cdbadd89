import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Context } from '../access/context.ts';
import { nameService } from '../platform/example-address.ts';
import { nameHost } from '../platform/host-name.ts';
import { sourceFile } from '../platform/source-files.ts';

/** The chapters of the served documentation, as they are written. */
const folder = () => dirname(sourceFile('app/routes/docs/content/start.md'));

let known: readonly string[] | undefined;

/** Names of the chapters, as they stand below `/docs`. */
export function docsSections(): readonly string[] {
  known ??= readdirSync(folder(), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length))
    .sort();
  return known;
}

/** A chapter as Markdown; null where there is none of that name. */
export function readDocs(section: string, { services: { env } }: Context): string | null {
  if (!docsSections().includes(section)) return null;
  return nameService(nameHost(readFileSync(join(folder(), `${section}.md`), 'utf8'), env), env);
}
