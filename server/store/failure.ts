const network = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EPIPE', 'ENOENT']);
/** SQLSTATE: connection exceptions, shutting down or starting up, too many connections. */
const refused = /^(08...|57P0[1-5]|53300)$/;
const ended = /connection terminated|timeout exceeded when trying to connect|embedded database is closed/i;

/** Whether an error says that the database could not be reached, rather than that a statement was wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (network.has(code) || refused.test(code))) return true;
  return ended.test(error.message) || isDatabaseUnavailable(error.cause);
}
