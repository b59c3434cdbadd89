import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';

const reported: string[] = [];

/** What was written with console.error since the test began or the last call; a test that expects some takes them. */
export const takeConsoleErrors = (): string[] => reported.splice(0);

beforeEach(() => {
  reported.length = 0;
  vi.spyOn(console, 'error').mockImplementation((...parts: unknown[]) => {
    reported.push(parts.map(String).join(' '));
  });
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  expect(takeConsoleErrors(), 'console.error was called').toEqual([]);
});
