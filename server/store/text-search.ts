/** A pattern of LIKE for lower-case texts that contain this one, in any case. */
export const containing = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
