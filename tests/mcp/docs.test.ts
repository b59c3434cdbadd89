import { expect, test } from 'vitest';
import { documentedTable, toolTable } from '../support/mcp-tools.ts';

test('the table of tools in the documentation is the one the declarations make', () => {
  expect(documentedTable()).toBe(toolTable());
});
