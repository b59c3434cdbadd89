import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChangeSet } from '../../../server/advisor/patch/change.ts';
import { applyDiff } from '../../../server/advisor/patch/diff.ts';
import { patchFile } from '../../../server/advisor/patch/patch.ts';
import { dice, madeFile, madeSets, madeWorkflow } from './made-files.ts';
import { passed, path } from './patched.ts';
import { expectByYaml, readByYaml } from './read-by-yaml.ts';

const files = fc.integer({ min: 1, max: 2 ** 31 }).map((seed) => {
  const random = dice(seed);
  const workflow = madeWorkflow(random);
  return { text: madeFile(random, workflow), sets: madeSets(random, workflow) };
});

const patch = (text: string, sets: readonly ChangeSet[]) => patchFile({ path, text }, sets, passed);

/** What holds for every file and every change, `numRuns` of them. */
const holds = (check: (text: string, sets: ChangeSet[]) => void, numRuns = 1500) =>
  fc.assert(
    fc.property(files, ({ text, sets }) => check(text, sets)),
    { numRuns },
  );

describe('whatever a file says and however it is written', () => {
  test('no patch fails its own verification', () => {
    let made = 0;
    holds((text, sets) => {
      const result = patch(text, sets);
      if (result.patch) made++;
      expect(result.refused.filter(({ refusal }) => refusal.code === 'not_verified')).toEqual([]);
    });
    expect(made).toBeGreaterThan(500);
  });

  test('a second parser reads what the changes say', () => {
    holds((text, sets) => {
      const result = patch(text, sets);
      if (!result.patch) return;
      const isRefused = new Set(result.refused.map(({ id }) => id));
      const made = sets.filter(({ id }) => !isRefused.has(id)).flatMap(({ changes }) => changes);
      expect(readByYaml(result.patch.text)).toEqual(expectByYaml(text, made));
    });
  });

  test('what is outside the edits stays as it is, and the diff says the same', () => {
    holds((text, sets) => {
      const result = patch(text, sets);
      if (!result.patch) return;
      let [rest, at] = [result.patch.text, 0];
      for (const { offset, end, insert } of result.patch.edits) {
        const begin = text.slice(at, offset) + insert;
        expect(rest.slice(0, begin.length)).toBe(begin);
        rest = rest.slice(begin.length);
        at = end;
      }
      expect(rest).toBe(text.slice(at));
      expect(applyDiff(text, result.patch.diff)).toBe(result.patch.text);
    });
  });

  test('the order in which recommendations are given does not matter', () => {
    holds((text, sets) => {
      expect(patch(text, sets.toReversed())).toEqual(patch(text, sets));
    });
  });

  test('a text of anything is patched or refused', () => {
    fc.assert(
      fc.property(files, fc.string({ unit: 'binary' }), fc.nat(), ({ text, sets }, noise, at) => {
        const place = at % (text.length + 1);
        patch(text.slice(0, place) + noise + text.slice(place), sets);
        patch(text.slice(0, place) + text.slice(place + noise.length), sets);
      }),
      { numRuns: 1000 },
    );
  });
});
