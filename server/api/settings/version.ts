import { z } from 'zod';

/** Which saving of a setting an answer shows. */
export const shownVersion = z.int().meta({ description: 'Moves with every change; 0 while nothing is saved.' });

/** Which one a change is of. */
export const changedVersion = z
  .int()
  .min(0)
  .optional()
  .meta({ description: '`version` of the settings that are changed: given, nothing is saved where it has moved.' });
