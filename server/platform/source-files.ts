import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the sources, such as that of a worker, which is not bundled: found from the sources and the build alike. */
export function sourceFile(path: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, path);
    if (existsSync(file)) return file;
    if (folder === dirname(folder)) throw new Error(`${path} is missing beside the build.`);
  }
}

/** One statement of a file: its text with numbered parameters, and the names of these in their order. */
export interface Statement {
  name: string;
  text: string;
  parameters: readonly string[];
}

/** The text of `server/store/sql/<name>.sql`. */
export const readSql = (name: string): string => readFileSync(sourceFile(`server/store/sql/${name}.sql`), 'utf8');

/**
 * The SQL of one `-- name:` of a file, as it is written.
 * @throws Error when the file has none of that name.
 */
export function readSection(file: string, name: string): string {
  const text = readSections(file).get(name);
  if (text === undefined) throw new Error(`${file}.sql has no section ${name}.`);
  return text;
}

/**
 * The statements of a file, by the names in their `-- name:` lines. Parameters are written `:like_this`.
 * @throws Error when the file has not exactly these statements.
 */
export function readStatements<Name extends string>(file: string, names: readonly Name[]): Record<Name, Statement> {
  const found = readSections(file);
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0 || found.size !== names.length)
    throw new Error(`${file}.sql has the statements ${[...found.keys()].join(', ')}, not ${names.join(', ')}.`);
  return Object.fromEntries([...found].map(([name, text]) => [name, parseStatement(name, text)])) as Record<
    Name,
    Statement
  >;
}

function readSections(file: string): Map<string, string> {
  const [, ...sections] = readSql(file).split(/^-- name: /m);
  return new Map(sections.map(splitName));
}

function splitName(section: string): [string, string] {
  const end = section.indexOf('\n');
  return [
    section.slice(0, end).trim(),
    section
      .slice(end + 1)
      .trim()
      .replace(/;$/, ''),
  ];
}

function parseStatement(name: string, named: string): Statement {
  const parameters: string[] = [];
  const text = named.replace(/(?<![:\w]):([a-z]\w*)/g, (_, parameter: string) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  });
  return { name, text, parameters };
}
