/** What a value of a later period is compared with that of an earlier one, as far as the data show. */
export const verdicts = ['higher', 'lower', 'no_difference_shown', 'not_enough_data'] as const;
export type Verdict = (typeof verdicts)[number];

/** Two periods are compared of at most so many days each. */
export const maxComparedDays = 180;

export const verdictLabels: Readonly<Record<Verdict, string>> = {
  higher: 'Higher',
  lower: 'Lower',
  no_difference_shown: 'No difference shown',
  not_enough_data: 'Not enough data',
};
