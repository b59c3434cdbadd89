import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const takesRounds = /import \{[^}]*\brounds\b[^}]*\} from '[^']*\/support\/rounds\.ts'/;
/** What takes a database of either kind runs on another one with many rounds, and some tests run with few alone. */
const differsWithMany = /\/support\/a-database\.ts'|!isThorough/;

/** Files whose run with many rounds holds everything of their run with few. */
const filesWithRounds = (): string[] =>
  globSync('tests/**/*.test.{ts,tsx}', { cwd: root }).filter((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return takesRounds.test(text) && !differsWithMany.test(text);
  });

/** Left out where a run with many rounds follows, as in `.ci/run`: what that runs anyway. */
export const filesRunLater: readonly string[] = process.env.ROUNDS_FOLLOW === '1' ? filesWithRounds() : [];
