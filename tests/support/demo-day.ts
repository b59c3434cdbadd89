/**
 * The day of the sample world on sites that tests start, whatever the date is: one on which it shows everything that
 * they look for.
 */
export const demoDay = Date.parse('2026-11-11');
