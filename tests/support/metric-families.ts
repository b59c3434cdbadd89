import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ownFamilies } from '../../server/openmetrics/families.ts';
import { deliveryFamilies } from '../../server/openmetrics/repository-families.ts';
import { sharedFamilies } from '../../server/openmetrics/shared.ts';
import type { MetricFamily } from '../../server/platform/metric-family.ts';

const chapter = fileURLToPath(new URL('../../app/routes/docs/content/open/metrics.md', import.meta.url));
const end = '<!-- end -->';

/** What is made from the declarations, by how its part of the chapter begins. */
const parts = new Map([
  ['<!-- families: made by `node tests/support/metric-families.ts` -->\n', () => familyTable(ownFamilies)],
  ['<!-- shared families: made by the same -->\n', () => familyTable(sharedFamilies)],
  ['<!-- repository families: made by the same -->\n', () => familyTable(deliveryFamilies)],
]);

const familyTable = (families: readonly MetricFamily<string>[]) =>
  [
    '| Family | Type | Labels | Meaning |',
    '|---|---|---|---|',
    ...families.map(
      ({ name, type, labels, help }) =>
        `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ') || '–'} | ${help} |`,
    ),
    '',
  ].join('\n');

export const documented = (): string => readFileSync(chapter, 'utf8');

/** The chapter with what the declarations say now. */
export function chapterMade(text: string): string {
  let made = text;
  for (const [begin, write] of parts) {
    const from = made.indexOf(begin) + begin.length;
    made = made.slice(0, from) + write() + made.slice(made.indexOf(end, from));
  }
  return made;
}

if (import.meta.main) writeFileSync(chapter, chapterMade(documented()));
