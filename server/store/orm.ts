import type { Log } from '../platform/log.ts';
import { accessTokens } from './access-tokens.ts';
import { actionInventory } from './action-inventory.ts';
import { actionLedger } from './action-ledger.ts';
import { actionUses } from './action-uses.ts';
import { advisorDismissals } from './advisor-dismissals.ts';
import { advisorPullRequests } from './advisor-pull-requests.ts';
import { advisorTotals } from './advisor-totals.ts';
import { advisorVerdicts } from './advisor-verdicts.ts';
import { aiCache } from './ai-cache.ts';
import { aiComparisons } from './ai-comparisons.ts';
import { aiUsage } from './ai-usage.ts';
import { alertDeliveries } from './alert-deliveries.ts';
import { alertDue } from './alert-due.ts';
import { alertEvents } from './alert-events.ts';
import { alertRules } from './alert-rules.ts';
import { answers } from './answers.ts';
import { auditLog } from './audit.ts';
import { collection } from './collection.ts';
import { type ConnectionOptions, connect } from './connection.ts';
import { cursors } from './cursors.ts';
import { type Database, toDatabase } from './database.ts';
import { deliveries } from './deliveries.ts';
import { digests } from './digests.ts';
import { endedPullRequests } from './ended-pull-requests.ts';
import { forgetExpired } from './expiry.ts';
import { exportedValues } from './exported-values.ts';
import { exposure } from './exposure.ts';
import { factRepository } from './facts/fact-repository.ts';
import { filedIssues } from './filed-issues.ts';
import { firedAlerts } from './fired-alerts.ts';
import { groupChanges } from './group-changes.ts';
import { identity } from './identity.ts';
import { installationOwner } from './installation-owner.ts';
import { invitations } from './invitations.ts';
import { jobRuns } from './job-runs.ts';
import { leases } from './leases.ts';
import { mailStatus } from './mail-status.ts';
import { memberships } from './memberships.ts';
import { mergeGroupRuns } from './merge-group-runs.ts';
import { mergeQueueNotices } from './merge-queue-notices.ts';
import { mergedPullRequests } from './merged-pull-requests.ts';
import { migrate, requireMigrated } from './migrate.ts';
import { monitoring } from './monitoring.ts';
import { names } from './names.ts';
import { listenTo, type Notices } from './notices.ts';
import { observedUses } from './observed-uses.ts';
import { otlpBackfills } from './otlp-backfills.ts';
import { otlpDestinations } from './otlp-destinations.ts';
import { otlpOutbox } from './otlp-outbox.ts';
import { permissions } from './permissions.ts';
import { pullRequestCommits } from './pull-request-commits.ts';
import { pullRequestMarks } from './pull-request-marks.ts';
import { pullRequestOpeners } from './pull-request-openers.ts';
import { pullRequestWindows } from './pull-request-windows.ts';
import { purge } from './purge.ts';
import { rateLimits } from './rate-limits.ts';
import { recordedAttempts } from './recorded-attempts.ts';
import { refNotices } from './ref-notices.ts';
import { repositories } from './repositories.ts';
import { rollups } from './rollups.ts';
import { savedViews } from './saved-views.ts';
import { sessions } from './sessions.ts';
import { settings } from './settings.ts';
import { sharedCounters } from './shared-counters.ts';
import { shares } from './shares.ts';
import { syncProgress } from './sync-progress.ts';
import { syncQueue } from './sync-queue.ts';
import { trends } from './trends.ts';
import { users } from './users.ts';
import { versions } from './versions.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';
import { weeklyDigests } from './weekly-digests.ts';
import { windowRuns } from './window-runs.ts';
import { workflowFigures } from './workflow-figures.ts';
import { workflowJobs } from './workflow-jobs.ts';
import { workflowRuns } from './workflow-runs.ts';
import { workingHabits } from './working-habits.ts';

export interface StoreOptions extends ConnectionOptions {
  /** Bring the database to this version's shape first; otherwise it must already have it. */
  migrate: boolean;
}

export type Store = ReturnType<typeof createStore>;

/**
 * Opens the database and its queries. Instants are epoch milliseconds.
 * @throws DatabaseUnusable when it is in use by another process, or was changed by a newer version.
 */
export async function openStore({ migrate: mayMigrate, ...options }: StoreOptions): Promise<Store> {
  const connection = await connect(options);
  try {
    await (mayMigrate ? migrate : requireMigrated)(connection.orm);
    const notices = connection.embedded ? null : listenTo(options.url, options.log);
    const close = async () => {
      await notices?.close();
      await connection.close();
    };
    const store = createStore(toDatabase(connection.orm), options.log, close, notices);
    // Whoever held a lease on the embedded database is gone: it has one process, and that is this one.
    if (connection.embedded) await store.leases.reclaimAll();
    return store;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** All queries of a database that is ready. */
export function createStore(database: Database, log: Log, close: () => Promise<void>, notices: Notices | null = null) {
  const rolled = rollups(database);
  const known = repositories(database);
  const versioned = versions(database);
  const counted = sharedCounters(database, log);
  return {
    repositories: known,
    cursors: cursors(database),
    syncQueue: syncQueue(database),
    runs: workflowRuns(database, rolled),
    jobs: workflowJobs(database, known.known),
    recordedAttempts: recordedAttempts(database),
    actionInventory: actionInventory(database),
    actionLedger: { ...actionLedger(database), notices: refNotices(database) },
    actionUses: actionUses(database),
    observedUses: observedUses(database),
    advisorDismissals: advisorDismissals(database, known.known),
    advisorPullRequests: advisorPullRequests(database, known.known),
    advisorTotals: advisorTotals(database),
    aiComparisons: aiComparisons(database),
    advisorVerdicts: advisorVerdicts(database),
    deliveries: deliveries(database),
    facts: factRepository(database, known.known),
    mergeQueueNotices: mergeQueueNotices(database),
    mergeGroupRuns: mergeGroupRuns(database),
    mergedPullRequests: mergedPullRequests(database),
    endedPullRequests: endedPullRequests(database),
    pullRequestWindows: pullRequestWindows(database),
    pullRequestCommits: pullRequestCommits(database),
    pullRequestMarks: pullRequestMarks(database),
    pullRequestOpeners: pullRequestOpeners(database),
    workingHabits: workingHabits(database),
    collection: collection(database),
    syncProgress: syncProgress(database),
    alertRules: alertRules(database),
    alertEvents: alertEvents(database),
    firedAlerts: firedAlerts(database),
    alertDeliveries: alertDeliveries(database),
    alertDue: alertDue(database),
    digests: digests(database),
    weeklyDigests: weeklyDigests(database),
    answers: answers(database),
    aiCache: aiCache(database),
    aiUsage: aiUsage(database),
    identity: identity(database),
    rollups: rolled,
    trends: trends(database, rolled),
    workflowFigures: workflowFigures(database),
    windowRuns: windowRuns(database),
    names: names(database),
    sessions: sessions(database),
    accessTokens: accessTokens(database),
    shares: shares(database),
    savedViews: savedViews(database),
    owner: installationOwner(database),
    users: users(database),
    groupChanges: groupChanges(database),
    invitations: invitations(database),
    memberships: memberships(database),
    permissions: permissions(database),
    audit: auditLog(database),
    settings: settings(database, versioned),
    mailStatus: mailStatus(database),
    leases: leases(database, log),
    jobRuns: jobRuns(database),
    rateLimits: rateLimits(database),
    filedIssues: filedIssues(database),
    otlpBackfills: otlpBackfills(database),
    otlpDestinations: otlpDestinations(database),
    otlpOutbox: otlpOutbox(database),
    webhookEndpoints: webhookEndpoints(database),
    versions: versioned,
    monitoring: monitoring(database),
    sharedCounters: counted,
    exportedValues: exportedValues(database),
    exposure: exposure(database),
    forgetExpired: forgetExpired(database),
    purge: purge(database, rolled),
    /** The same database as the queue's package wants it. */
    queue: { executeSql: async (sql: string, values?: unknown[]) => ({ rows: await database.script(sql, values) }) },
    /** What other processes changed; null where no other process can use the database. */
    notices,
    close: () => counted.flush().then(close),
  };
}
