import type { Setup } from './setup.ts';

/** Whether a step is left to do; one that cannot be done where the service is, is not. */
export const isLeft = ({ missing }: Setup['steps'][number]): boolean => missing !== null && missing !== 'not_reachable';
