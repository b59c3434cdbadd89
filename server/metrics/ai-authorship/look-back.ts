import { dayMs } from '../kernel/window.ts';

/** Pull requests created in so long are marked. */
export const marksLookBack = 400 * dayMs;
