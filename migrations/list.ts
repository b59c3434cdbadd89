import { Migration20261123000000_baseline } from './Migration20261123000000_baseline.ts';
import { Migration20261124113448_wide_totals } from './Migration20261124113448_wide_totals.ts';
import { Migration20261124121900_runs_by_key } from './Migration20261124121900_runs_by_key.ts';
import { Migration20261124200000_read_down_to } from './Migration20261124200000_read_down_to.ts';
import { Migration20261124233445_runbook_url } from './Migration20261124233445_runbook_url.ts';
import { Migration20261125012200_attempt_costs } from './Migration20261125012200_attempt_costs.ts';
import { Migration20261125020500_invitations } from './Migration20261125020500_invitations.ts';
import { Migration20261125020910_saved_views } from './Migration20261125020910_saved_views.ts';
import { Migration20261125142205_changes } from './Migration20261125142205_changes.ts';
import { Migration20261128100307_histograms } from './Migration20261128100307_histograms.ts';
import { Migration20261128131134_access_tokens } from './Migration20261128131134_access_tokens.ts';
import { Migration20261128173527_otlp } from './Migration20261128173527_otlp.ts';
import { Migration20261128180000_shared_counters } from './Migration20261128180000_shared_counters.ts';
import { Migration20261128180100_exported_values } from './Migration20261128180100_exported_values.ts';
import { Migration20261128201500_otlp_fetch_jobs } from './Migration20261128201500_otlp_fetch_jobs.ts';
import { Migration20261128202040_webhooks } from './Migration20261128202040_webhooks.ts';
import { Migration20261128203829_otlp_backfills } from './Migration20261128203829_otlp_backfills.ts';
import { Migration20261128211900_shares } from './Migration20261128211900_shares.ts';
import { Migration20261128235032_otlp_locks } from './Migration20261128235032_otlp_locks.ts';
import { Migration20261129000500_ci_advisor } from './Migration20261129000500_ci_advisor.ts';
import { Migration20261129034540_advisor_dismissals } from './Migration20261129034540_advisor_dismissals.ts';
import { Migration20261129075842_share_format } from './Migration20261129075842_share_format.ts';
import { Migration20261129081300_advisor_pull_requests } from './Migration20261129081300_advisor_pull_requests.ts';
import { Migration20261129103457_advisor_pull_request_states } from './Migration20261129103457_advisor_pull_request_states.ts';
import { Migration20261129104001_action_ledger } from './Migration20261129104001_action_ledger.ts';
import { Migration20261129104214_advisor_totals } from './Migration20261129104214_advisor_totals.ts';
import { Migration20261129111600_exposure } from './Migration20261129111600_exposure.ts';
import { Migration20261129111750_advisor_verdicts } from './Migration20261129111750_advisor_verdicts.ts';
import { Migration20261129135819_ledger_releases } from './Migration20261129135819_ledger_releases.ts';
import { Migration20261129143102_used_in_turn } from './Migration20261129143102_used_in_turn.ts';
import { Migration20261129153308_judged_moves } from './Migration20261129153308_judged_moves.ts';
import { Migration20261129171751_private_sources } from './Migration20261129171751_private_sources.ts';
import { Migration20261129172551_merge_queue } from './Migration20261129172551_merge_queue.ts';
import { Migration20261129174500_merge_queue_feature } from './Migration20261129174500_merge_queue_feature.ts';
import { Migration20261129182500_merge_queue_backfill } from './Migration20261129182500_merge_queue_backfill.ts';
import { Migration20261129204607_ai_authorship } from './Migration20261129204607_ai_authorship.ts';
import { Migration20261129213047_logs } from './Migration20261129213047_logs.ts';
import { Migration20261130015500_applied_changes } from './Migration20261130015500_applied_changes.ts';
import { Migration20261130015800_executed_files } from './Migration20261130015800_executed_files.ts';
import { Migration20261130052015_checked_files } from './Migration20261130052015_checked_files.ts';
import { Migration20261130055100_ai_comparisons } from './Migration20261130055100_ai_comparisons.ts';
import { Migration20261130055800_rerun_job_costs } from './Migration20261130055800_rerun_job_costs.ts';
import { Migration20261130063632_ages_indexed } from './Migration20261130063632_ages_indexed.ts';
import { Migration20261130083000_listed_jobs } from './Migration20261130083000_listed_jobs.ts';
import { Migration20261130083025_action_advisories } from './Migration20261130083025_action_advisories.ts';
import { Migration20261130085710_package_digests } from './Migration20261130085710_package_digests.ts';
import { Migration20261130091500_cut_review_clocks } from './Migration20261130091500_cut_review_clocks.ts';
import { Migration20261130093000_author_names } from './Migration20261130093000_author_names.ts';
import { Migration20261130095000_otlp_default_branch } from './Migration20261130095000_otlp_default_branch.ts';
import { Migration20261130100745_advisories_of_refs } from './Migration20261130100745_advisories_of_refs.ts';
import { Migration20261130131000_awaited_approvals } from './Migration20261130131000_awaited_approvals.ts';
import { Migration20261130131500_pr_links } from './Migration20261130131500_pr_links.ts';
import { Migration20261130133000_repository_ages } from './Migration20261130133000_repository_ages.ts';
import { Migration20261130160000_job_waits } from './Migration20261130160000_job_waits.ts';
import { Migration20261130193800_wanted_by_nobody } from './Migration20261130193800_wanted_by_nobody.ts';
import { Migration20261130195848_noticed_refs } from './Migration20261130195848_noticed_refs.ts';

/**
 * Every migration, oldest first: a list, because the server is bundled; with names, because a bundler may rename
 * classes. A migration that was released is never edited; the next one may add, and may not drop what the version
 * before still reads, because replicas of both run side by side during a deployment.
 */
export const migrations = [
  { name: 'Migration20261123000000_baseline', class: Migration20261123000000_baseline },
  { name: 'Migration20261124113448_wide_totals', class: Migration20261124113448_wide_totals },
  { name: 'Migration20261124121900_runs_by_key', class: Migration20261124121900_runs_by_key },
  { name: 'Migration20261124200000_read_down_to', class: Migration20261124200000_read_down_to },
  { name: 'Migration20261124233445_runbook_url', class: Migration20261124233445_runbook_url },
  { name: 'Migration20261125012200_attempt_costs', class: Migration20261125012200_attempt_costs },
  { name: 'Migration20261125020500_invitations', class: Migration20261125020500_invitations },
  { name: 'Migration20261125020910_saved_views', class: Migration20261125020910_saved_views },
  { name: 'Migration20261125142205_changes', class: Migration20261125142205_changes },
  { name: 'Migration20261128100307_histograms', class: Migration20261128100307_histograms },
  { name: 'Migration20261128131134_access_tokens', class: Migration20261128131134_access_tokens },
  { name: 'Migration20261128173527_otlp', class: Migration20261128173527_otlp },
  { name: 'Migration20261128180000_shared_counters', class: Migration20261128180000_shared_counters },
  { name: 'Migration20261128180100_exported_values', class: Migration20261128180100_exported_values },
  { name: 'Migration20261128201500_otlp_fetch_jobs', class: Migration20261128201500_otlp_fetch_jobs },
  { name: 'Migration20261128202040_webhooks', class: Migration20261128202040_webhooks },
  { name: 'Migration20261128203829_otlp_backfills', class: Migration20261128203829_otlp_backfills },
  { name: 'Migration20261128211900_shares', class: Migration20261128211900_shares },
  { name: 'Migration20261128235032_otlp_locks', class: Migration20261128235032_otlp_locks },
  { name: 'Migration20261129000500_ci_advisor', class: Migration20261129000500_ci_advisor },
  { name: 'Migration20261129034540_advisor_dismissals', class: Migration20261129034540_advisor_dismissals },
  { name: 'Migration20261129075842_share_format', class: Migration20261129075842_share_format },
  { name: 'Migration20261129081300_advisor_pull_requests', class: Migration20261129081300_advisor_pull_requests },
  {
    name: 'Migration20261129103457_advisor_pull_request_states',
    class: Migration20261129103457_advisor_pull_request_states,
  },
  { name: 'Migration20261129104001_action_ledger', class: Migration20261129104001_action_ledger },
  { name: 'Migration20261129104214_advisor_totals', class: Migration20261129104214_advisor_totals },
  { name: 'Migration20261129111600_exposure', class: Migration20261129111600_exposure },
  { name: 'Migration20261129111750_advisor_verdicts', class: Migration20261129111750_advisor_verdicts },
  { name: 'Migration20261129135819_ledger_releases', class: Migration20261129135819_ledger_releases },
  { name: 'Migration20261129143102_used_in_turn', class: Migration20261129143102_used_in_turn },
  { name: 'Migration20261129153308_judged_moves', class: Migration20261129153308_judged_moves },
  { name: 'Migration20261129171751_private_sources', class: Migration20261129171751_private_sources },
  { name: 'Migration20261129172551_merge_queue', class: Migration20261129172551_merge_queue },
  { name: 'Migration20261129174500_merge_queue_feature', class: Migration20261129174500_merge_queue_feature },
  { name: 'Migration20261129182500_merge_queue_backfill', class: Migration20261129182500_merge_queue_backfill },
  { name: 'Migration20261129204607_ai_authorship', class: Migration20261129204607_ai_authorship },
  { name: 'Migration20261129213047_logs', class: Migration20261129213047_logs },
  { name: 'Migration20261130015500_applied_changes', class: Migration20261130015500_applied_changes },
  { name: 'Migration20261130015800_executed_files', class: Migration20261130015800_executed_files },
  { name: 'Migration20261130052015_checked_files', class: Migration20261130052015_checked_files },
  { name: 'Migration20261130055100_ai_comparisons', class: Migration20261130055100_ai_comparisons },
  { name: 'Migration20261130055800_rerun_job_costs', class: Migration20261130055800_rerun_job_costs },
  { name: 'Migration20261130063632_ages_indexed', class: Migration20261130063632_ages_indexed },
  { name: 'Migration20261130083000_listed_jobs', class: Migration20261130083000_listed_jobs },
  { name: 'Migration20261130083025_action_advisories', class: Migration20261130083025_action_advisories },
  { name: 'Migration20261130085710_package_digests', class: Migration20261130085710_package_digests },
  { name: 'Migration20261130091500_cut_review_clocks', class: Migration20261130091500_cut_review_clocks },
  { name: 'Migration20261130093000_author_names', class: Migration20261130093000_author_names },
  { name: 'Migration20261130095000_otlp_default_branch', class: Migration20261130095000_otlp_default_branch },
  { name: 'Migration20261130100745_advisories_of_refs', class: Migration20261130100745_advisories_of_refs },
  { name: 'Migration20261130131000_awaited_approvals', class: Migration20261130131000_awaited_approvals },
  { name: 'Migration20261130131500_pr_links', class: Migration20261130131500_pr_links },
  { name: 'Migration20261130133000_repository_ages', class: Migration20261130133000_repository_ages },
  { name: 'Migration20261130160000_job_waits', class: Migration20261130160000_job_waits },
  { name: 'Migration20261130193800_wanted_by_nobody', class: Migration20261130193800_wanted_by_nobody },
  { name: 'Migration20261130195848_noticed_refs', class: Migration20261130195848_noticed_refs },
];
