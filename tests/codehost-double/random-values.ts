import { between, hexDigits, pickOne } from '../../server/demo/random.ts';
import type { RandomStream } from '../../server/metrics/kernel/random-stream.ts';
import { namedNow } from './named-world.ts';

/** Whether something happens that happens so often. */
export const chance = (random: RandomStream, often: number): boolean => random() < often;

/** A list of up to so many, empty now and then. */
export const listOf = <T>(random: RandomStream, most: number, make: () => T): T[] =>
  Array.from({ length: between(random, 0, most) }, make);

/** A text for a field of this name: mostly a likely one, at times one that nobody expects. */
export function randomText(random: RandomStream, field: string): string {
  const likely = likelyTexts.find(([named]) => named.test(field))?.[1];
  if (likely && chance(random, 0.8)) return pickOne(random, likely);
  if (/sha|oid/i.test(field) && chance(random, 0.9)) return hexDigits(String(random()), 40);
  return chance(random, 0.4) ? pickOne(random, oddTexts) : `${field} ${between(random, 1, 99)}`;
}

const likelyTexts: [RegExp, string[]][] = [
  [/^login$/i, ['octo', 'ann', 'ana', 'bo', 'ghost', 'dependabot', 'dependabot[bot]']],
  [/^(name|slug)$/i, ['web', 'api', 'CI', 'main', 'Deploy', 'production', 'bug']],
  [/^type$/i, ['User', 'Organization', 'Bot', 'blob', 'tree', 'Mannequin']],
  [/^(event|action)$/i, ['push', 'schedule', 'pull_request', 'workflow_dispatch', 'dynamic']],
  [/^(status|state)$/i, ['completed', 'queued', 'in_progress', 'active', 'success', 'open', 'paused']],
  [/^conclusion$/i, ['success', 'failure', 'cancelled', 'timed_out', 'skipped', 'exploded']],
  [/path|file/i, ['.github/workflows/ci.yml', 'src/lamp.ts', 'README.md', 'ci.yml', 'dynamic/x']],
  [/branch|^ref$/i, ['main', 'release', 'refs/heads/main']],
  [/title|message|headline/i, ['Mend the lamp', 'Revert "Mend the lamp"', 'fix: lamp\n\nBecause.', 'Change 1 (#12)']],
  [/severity/i, ['low', 'moderate', 'critical', 'unheard of']],
  [/^(product|sku|unitType)$/i, ['actions', 'Actions', 'actions_linux', 'Actions Linux', 'minutes', 'GigabyteHours']],
  [/label/i, ['ubuntu-latest', 'self-hosted', 'windows-latest']],
];

const oddTexts = [
  '',
  ' ',
  '0',
  'null',
  '__proto__',
  'constructor',
  '../..',
  '%00',
  '\u202eturned',
  '👩‍💻',
  'tab\there',
  'nul\0bell\u0007',
  'half \ud83d',
  '<script>alert(1)</script>',
  '[x](javascript:alert(1))',
  "'; drop --",
  'line\r\nline',
  'x'.repeat(5000),
  '2026-13-45',
  '-',
  '@',
  'a/b/c',
  '*',
  ':',
  '\ufffe',
];

/** A whole number within the limits: mostly a small one. */
export function randomInteger(random: RandomStream, field: string, lowest: number, highest: number): number {
  if (/attempt/.test(field) && chance(random, 0.9)) return between(random, 1, 3);
  if (chance(random, 0.7)) return between(random, Math.max(lowest, 0), Math.min(highest, 500));
  const extremes = [lowest, highest, -1, 0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER];
  return Math.min(highest, Math.max(lowest, pickOne(random, extremes)));
}

/** An instant as text: mostly of the last hundred days, at times of another age or zone. */
export function randomInstant(random: RandomStream): string {
  if (chance(random, 0.05))
    return pickOne(random, ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '1970-01-01T00:00:00Z']);
  const at = new Date(namedNow - between(random, -1, 100 * 86_400) * 1000);
  const text = at.toISOString();
  return pickOne(random, [text.replace('.000Z', 'Z'), text, text.replace('.000Z', '+07:00')]);
}

export const randomDate = (random: RandomStream): string => randomInstant(random).slice(0, 10);

export const randomAddress = (random: RandomStream): string =>
  chance(random, 0.9)
    ? `https://codehost.example/${between(random, 1, 99)}`
    : pickOne(random, [
        'javascript:alert(1)',
        'about:blank',
        'https://[::1]/',
        `https://codehost.example/${'x'.repeat(3000)}`,
      ]);

/** The value with a field here and there that is missing, or of a kind and a word that nobody has heard of. */
export function spoiled(random: RandomStream, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => spoiled(random, one));
  if (typeof value !== 'object' || value === null) return value;
  const stored = Object.entries(value).filter(() => chance(random, 0.99));
  return Object.fromEntries(
    stored.map(([key, one]) => [key, chance(random, 0.02) ? pickOne(random, unknownValues) : spoiled(random, one)]),
  );
}

const unknownValues = [null, 'UNHEARD_OF', 'unheard of', 7, -1, 1.5, true, {}, [], [null], ['unheard of']];
