import type { PanelsOf } from '../../../../server/http/adapters.ts';
import type { getRecommendations, getRecommendedPatch } from '../../../../server/reports/advisor/operations.ts';

export type Advice = PanelsOf<{ advice: typeof getRecommendations }>['advice'];

/** As many changes the interface takes. */
export const maxChosen = 20;

/** Of the changes of an address those that a pull request can be made of, and what is wrong with the others. */
export function findChosen(advice: Advice, ids: readonly string[]) {
  const listed = advice.ok ? advice.data.recommendations : [];
  const asked = listed.filter(({ id }) => ids.includes(id));
  const chosen = asked.filter(({ state }) => state !== 'dismissed');
  const notOffered = advice.ok ? advice.data.not_offered.filter(({ id }) => ids.includes(id)) : [];
  return {
    chosen: chosen.map(({ id }) => id),
    dismissed: asked.length - chosen.length,
    notOffered: notOffered.map(({ reasons }) => reasons.map(({ text }) => text).join(' ')),
    unknown: ids.length - asked.length - notOffered.length,
    // Security saves nothing, so that no number is missing.
    isSecurity: chosen.every(({ certainty }) => certainty === 'risk'),
  };
}

/** The chosen changes as a patch, and whether the reader may open a pull request of them. */
export interface Proposal {
  /** null where none can be made. */
  patch: PanelsOf<{ patch: typeof getRecommendedPatch }>['patch'] | null;
  /** null where nobody could say. */
  mayOpen: boolean | null;
}
