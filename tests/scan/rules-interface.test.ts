import { describe, expect, test } from 'vitest';
import { foundBy } from './found-by.ts';

describe('SEC-009, an input without a type', () => {
  test('is found for each of a manual run', () => {
    const text = `on:
  workflow_dispatch:
    inputs:
      version:
        description: "type: string"
        required: true
      level:
        type: choice
        options: [a, b]
      empty:
  workflow_call:
    inputs:
      called: { required: true }
`;
    expect(foundBy('SEC-009', text)).toEqual(['4 info', '10 info']);
  });

  test.each(['on: workflow_dispatch\n', 'on: { workflow_dispatch: { inputs: } }\n', 'on: [push, workflow_dispatch]\n'])(
    'is not found where there are none: %s',
    (text) => expect(foundBy('SEC-009', text)).toEqual([]),
  );
});

describe('SEC-019, every secret for a called workflow', () => {
  const calling = (uses: string, secrets: string) =>
    `on: push\njobs:\n  call:\n    uses: ${uses}\n    secrets: ${secrets}\n`;

  test('is found for workflows of others and of the house', () => {
    expect(foundBy('SEC-019', calling('some/one/.github/workflows/a.yml@v1', 'inherit'))).toEqual(['5 medium call']);
    expect(foundBy('SEC-019', calling('./.github/workflows/a.yml', '"inherit"'))).toEqual(['5 medium call']);
    expect(foundBy('SEC-019', calling('$/.github/workflows/a.yml', '"inherit"'))).toEqual(['5 medium call']);
  });

  test('is not found where secrets are named', () => {
    const text = calling('some/one/.github/workflows/a.yml@v1', `{ inherit: "\${{ secrets.ONE }}" } # inherit`);
    expect(foundBy('SEC-019', text)).toEqual([]);
  });
});
