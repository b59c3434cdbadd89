import type { Change, ChangeSet, PatchCheck } from '../../../server/advisor/patch/change.ts';
import { patchFile } from '../../../server/advisor/patch/patch.ts';

export const path = '.github/workflows/ci.yml';

/** The caller's part of the verification, passed. */
export const passed: PatchCheck = { isGone: () => true, newFindings: () => [], showsCredential: () => false };

export const setOf = (...changes: Change[]): ChangeSet => ({ id: 'one', kind: 'ADV-01', changes });

/** The text after changes, else the code of the refusal with the lines that it names. */
export function patched(text: string, ...changes: Change[]): string {
  const { patch, refused } = patchFile({ path, text }, [setOf(...changes)], passed);
  const [refusal] = refused;
  if (refusal) return [refusal.refusal.code, ...refusal.refusal.lines].join(' ');
  return patch?.text ?? 'nothing to do';
}
