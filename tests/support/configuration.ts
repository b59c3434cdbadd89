import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeEnv } from '../../server/platform/env.ts';

const chapter = fileURLToPath(new URL('../../app/routes/docs/content/configuration.md', import.meta.url));
const begin = '<!-- configuration: made by `node tests/support/configuration.ts` -->\n';
const end = '<!-- end -->';

/** The configuration table, made from the schema that checks the environment. */
export function configurationTable(): string {
  const rows = describeEnv().map(
    ({ name, fallback, purpose }) => `| \`${name}\` | ${describeDefault(fallback)} | ${purpose} |`,
  );
  return ['| Variable | Default | Purpose |', '|---|---|---|', ...rows, ''].join('\n');
}

/** The table that the documentation holds now. */
export function documentedTable(): string {
  const text = readFileSync(chapter, 'utf8');
  return text.slice(text.indexOf(begin) + begin.length, text.indexOf(end));
}

const describeDefault = (fallback: unknown) => {
  if (fallback === undefined) return 'none';
  if (typeof fallback === 'object' && Object.keys(Object(fallback)).length === 0) return 'empty';
  return Array.isArray(fallback) ? `\`${fallback.join(',')}\`` : `\`${fallback}\``;
};

if (import.meta.main) {
  const text = readFileSync(chapter, 'utf8');
  writeFileSync(chapter, text.replace(documentedTable(), '').replace(begin, `${begin}${configurationTable()}`));
}
