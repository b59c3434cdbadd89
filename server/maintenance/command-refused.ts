/** What an operator asks for cannot be done; the message is one sentence for that person. */
export class CommandRefused extends Error {}
