/** The version of the published interface that this service speaks, which is also its own. */
export const serviceVersion = '4.7.1';
