/** The database cannot be used by this process; the message is one sentence for the person who started it. */
export class DatabaseUnusable extends Error {}
