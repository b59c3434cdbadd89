import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { configurationTable, documentedTable } from './support/configuration.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

it('the configuration table of the README is the one the schema makes', () => {
  expect(documentedTable()).toBe(configurationTable());
});

it('names the two commands', () => {
  expect(readme).toContain('npm start');
  expect(readme).toContain('npm test');
});
