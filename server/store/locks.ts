/**
 * Advisory locks, held until their transaction ends. Readers never take one.
 * The zone lock: writers of facts and rollups share it, a change of the zone has it alone.
 */
export const shareZone = 'pg_advisory_xact_lock_shared(7246111)';
export const changeZone = 'pg_advisory_xact_lock(7246111)';

/** One writer of runs per repository, so that what a statement reads is still so when it writes. */
export const writeRuns = (repoId: string) => `pg_advisory_xact_lock(7246112, ${repoId})`;

/** One recomputer of rollups; another one leaves the work to it. */
export const tryRecompute = 'pg_try_advisory_xact_lock(7246113)';

/** One tracker of repositories: two at once could both find a name free. */
export const trackRepositories = 'pg_advisory_xact_lock(7246114)';

/** One claim on filing an issue per account, so that two at once cannot both find none. */
export const fileIssues = (account: string) => `pg_advisory_xact_lock(7246115, ${account})`;

/** One change of groups or sign-in of a first administrator: two at once could take away the last one. */
export const changeAdmins = 'pg_advisory_xact_lock(7246117)';

/** One change of who is whom; the trigger that refuses chains of links takes the same. */
export const linkPeople = 'pg_advisory_xact_lock(7246115)';

/** One change of a setting, so that what it was before is told truly. */
export const saveSettings = 'pg_advisory_xact_lock(7246118)';

/** One change of alert rules, so that two at once cannot both find that there is no such rule. */
export const saveAlertRules = 'pg_advisory_xact_lock(7246119)';
