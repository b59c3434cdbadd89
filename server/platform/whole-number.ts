import { z } from 'zod';

/** An integer within limits. One beyond them is not compared with other fields. */
export const within = (min: number, max: number) => z.int().min(min, { abort: true }).max(max, { abort: true });
