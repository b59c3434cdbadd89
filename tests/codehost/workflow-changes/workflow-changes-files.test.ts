import { describe, expect, test } from 'vitest';
import { changedFiles, type DirectoryFiles, noDirectory } from '../../../server/codehost/workflow-changes/files.ts';

const files = (content: Record<string, string>): DirectoryFiles => new Map(Object.entries(content));

describe('what a commit changed', () => {
  test('is what differs from its parent', () => {
    const before = files({ same: '1', other: '1', old: '1' });
    expect(changedFiles(files({ same: '1', other: '2', new: '1' }), [before])).toEqual([
      { path: 'new', change: 'added' },
      { path: 'old', change: 'removed' },
      { path: 'other', change: 'modified' },
    ]);
  });

  test('is everything for the first commit', () => {
    expect(changedFiles(files({ a: '1', b: '1' }), [])).toEqual([
      { path: 'a', change: 'added' },
      { path: 'b', change: 'added' },
    ]);
  });

  test('is everything where the directory came or went', () => {
    expect(changedFiles(files({ a: '1' }), [noDirectory])).toEqual([{ path: 'a', change: 'added' }]);
    expect(changedFiles(noDirectory, [files({ a: '1' })])).toEqual([{ path: 'a', change: 'removed' }]);
  });

  test('is nothing for a merge that takes each file from one of its sides', () => {
    expect(changedFiles(files({ a: '2', b: '1' }), [files({ a: '1', b: '1' }), files({ a: '2', b: '1' })])).toEqual([]);
    expect(changedFiles(files({ a: '2', b: '2' }), [files({ a: '1', b: '2' }), files({ a: '2', b: '1' })])).toEqual([]);
  });

  test('is what a merge made different from all of its sides', () => {
    expect(changedFiles(files({ a: '3', c: '1' }), [files({ a: '1', b: '1' }), files({ a: '2', b: '2' })])).toEqual([
      { path: 'a', change: 'modified' },
      { path: 'b', change: 'removed' },
      { path: 'c', change: 'added' },
    ]);
  });

  test('is unknown where a side is, and where no side shows the directory', () => {
    expect(changedFiles(null, [files({})])).toBeNull();
    expect(changedFiles(files({}), [files({}), null])).toBeNull();
    expect(changedFiles(noDirectory, [noDirectory])).toBeNull();
  });

  test('is nothing where the directory holds no workflow on either side', () => {
    expect(changedFiles(files({}), [files({})])).toEqual([]);
    expect(changedFiles(files({}), [noDirectory])).toEqual([]);
  });
});
