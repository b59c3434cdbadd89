/** The published interface this service speaks. */
export const serviceVersion = '4.7.1';
