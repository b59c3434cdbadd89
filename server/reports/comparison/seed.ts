interface Question {
  /** `owner/name`; of an organization `owner/`. */
  scope: string;
  metric: string;
  periods: readonly (string | number | undefined)[];
}

/** What a question says, however it is written: equal ones draw the same, on whatever page they are asked. */
export const toSeed = ({ scope, metric, periods }: Question): string =>
  [scope.toLowerCase(), metric, ...periods].join(' ');
