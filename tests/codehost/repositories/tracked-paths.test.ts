import { describe, expect, it } from 'vitest';
import { trackedPaths } from '../../../server/codehost/repositories/tracked-paths.ts';

describe('paths whose histories tell directories apart', () => {
  const tree = (name: string, entries: object[] = []) => ({ name, type: 'tree', object: { entries } }) as never;
  const file = (name: string) => ({ name, type: 'blob' });
  const chosen = (entries: Parameters<typeof trackedPaths>[0], below = '') =>
    trackedPaths(entries, below).paths.map(({ path, directory }) => `${path} in ${directory || '(root)'}`);

  it('are directories, and the files beside directories', () => {
    const src = tree('src', [{ name: 'lib', type: 'tree' }, file('a.ts')]);
    expect(chosen([file('README.md'), src, tree('docs', [file('b.md')])])).toEqual([
      'src/lib in src/lib',
      'docs in docs',
      'README.md in (root)',
      'src/a.ts in src',
    ]);
    expect(chosen([{ name: 'x', type: 'tree' }, file('a.ts')], 'src/lib')).toEqual([
      'src/lib/x in src/lib/x',
      'src/lib/a.ts in src/lib',
    ]);
  });

  it('leave out what is generated or vendored', () => {
    const generated = ['package-lock.json', 'yarn.lock', 'go.sum', 'pnpm-lock.yaml', 'app.min.js', 'a.test.ts.snap'];
    expect(
      chosen([
        ...generated.map(file),
        file('lock.ts'),
        tree('node_modules'),
        tree('dist'),
        { name: 'lib', type: 'commit' },
      ]),
    ).toEqual(['lock.ts in (root)']);
  });

  it('are 80 at most, directories first', () => {
    const many = [...Array.from({ length: 90 }, (_, index) => tree(`d${index}`)), file('a.ts')];
    expect(trackedPaths(many, '')).toMatchObject({ complete: false });
    expect(trackedPaths(many, '').paths).toHaveLength(80);
  });
});
