const network = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EPIPE', 'ENOENT']);
/** SQLSTATE: connection exceptions, shutting down or starting up, no room or connection left, a disk that fails. */
const unavailable = /^(08...|53...|57P0[1-5]|58030)$/;
const ended = /connection terminated|is not queryable|exceeded when trying to connect|embedded database is closed/i;

/** Whether an error means that the database could not be reached or used, rather than that a statement was wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (network.has(code) || unavailable.test(code))) return true;
  return ended.test(error.message) || isDatabaseUnavailable(error.cause);
}

/** Whether a statement took longer than it may. Not the database is gone: others may work, so a sync goes on. */
export const isTooSlow = (error: unknown): boolean =>
  error instanceof Error && ((error as { code?: unknown }).code === '57014' || isTooSlow(error.cause));

/** SQLSTATE class 22: a value that no column of its kind can hold, such as a text with NUL. */
export const isInvalidValue = (error: unknown): boolean =>
  error instanceof Error && /^22...$/.test(String((error as { code?: unknown }).code));
