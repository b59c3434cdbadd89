import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const chapter = readFileSync(
  fileURLToPath(new URL('../../app/routes/docs/content/open/traces.md', import.meta.url)),
  'utf8',
);
const [, script = ''] = chapter.match(/```sh\n(das_traceparent[\s\S]*?)```/) ?? [];

const hasBusybox = spawnSync('busybox', ['true']).status === 0;
const shells = ['bash', 'dash', ...(hasBusybox ? ['busybox'] : [])];

describe.each(shells)('the shell function of the docs, in %s', (shell) => {
  const traceparent = (...given: (string | number)[]) => {
    const applet = shell === 'busybox' ? ['sh'] : [];
    const command = [...applet, '-c', `${script}\ndas_traceparent "$@"`, shell, ...given.map(String)];
    return execFileSync(shell, command, { encoding: 'utf8' });
  };

  test('V7 and V10: gives the ids of the trace and of the job', () => {
    expect(traceparent('github.com', 1296269, 30433642, 1, 399444496)).toBe(
      '00-7c1c6c0eecceaa7896b130410ca225a5-0a6d80a8926cea28-01\n',
    );
  });

  test('V8: keeps run 12 attempt 34 apart from run 123 attempt 4', () => {
    expect(traceparent('github.com', 1296269, 12, 34, 1)).toContain('1b20c8144bfb39b5c757c0e6522dc245');
    expect(traceparent('github.com', 1296269, 123, 4, 1)).toContain('e6141b714b1eba823d77122e96a15e76');
  });
});
