/** The database cannot be used by this process; the message is one sentence for the person who started it. */
export class DatabaseUnavailable extends Error {}
