/** `.ci/run` sets it where there is time for what takes long. */
export const isThorough = process.env.THOROUGH === '1';

/**
 * How many rounds of what chance decides: few in `npm test`, many where there is time, or as many as the variable of
 * that name says.
 */
export const rounds = (name: string, few: number, many: number): number =>
  Number(process.env[name] ?? (isThorough ? many : few));
