import { imagePrefix, isCommitId, isFixed, shortRefName } from '../../scan/action-uses.ts';
import { isFullVersion } from '../../scan/action-versions.ts';
import { versionNumbers } from '../../scan/actions.ts';
import type { PresentUse } from '../../store/action-inventory.ts';
import { sameName } from '../repositories/visibility.ts';
import type { pins, publishers } from './schema.ts';

export type Pin = (typeof pins)[number];

/** Pins that lead to the same for good. */
export const fixedPins: readonly (Pin | null)[] = ['sha', 'immutable', 'digest'];

/** How a use is pinned; null where that is not known. */
export function findPin({ ref, kind, isBranch }: PresentUse, isImmutable: boolean): Pin | null {
  if (kind === 'image') return isFixed(ref) ? 'digest' : 'image_tag';
  if (isCommitId(ref)) return 'sha';
  if (isBranch === null) return null;
  if (isBranch) return 'branch';
  if (isImmutable) return 'immutable';
  const name = shortRefName(ref);
  if (isFullVersion(name)) return 'version_tag';
  const numbers = versionNumbers(name)?.length ?? 0;
  if (numbers === 0) return 'tag';
  return numbers === 1 ? 'major_tag' : 'minor_tag';
}

/** Of an image on a registry that has owners, as `ghcr.io/owner/name`, too. */
export function findPublisher(actionKey: string, org: string): (typeof publishers)[number] {
  const isImage = actionKey.startsWith(imagePrefix);
  const [owner = ''] = actionKey.replace(/^docker:\/\/(?:ghcr\.io\/)?/, '').split('/');
  if (!isImage && (owner === 'actions' || owner === 'github')) return 'platform';
  return sameName(owner, org) ? 'own' : 'third_party';
}
