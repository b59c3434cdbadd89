/** Why a recommendation is dismissed, as people read it. */
export const reasonLabels = {
  wanted: 'Intended as it is',
  wrong: 'The finding is wrong',
  later: 'Not now',
  other: 'Other',
};
