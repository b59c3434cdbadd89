import { Migration20261121010000_repositories } from './Migration20261121010000_repositories.ts';
import { Migration20261121020000_workflow_runs } from './Migration20261121020000_workflow_runs.ts';
import { Migration20261121030000_rollups } from './Migration20261121030000_rollups.ts';
import { Migration20261121040000_service } from './Migration20261121040000_service.ts';
import { Migration20261121050000_org_days } from './Migration20261121050000_org_days.ts';
import { Migration20261121060000_unreachable_repositories } from './Migration20261121060000_unreachable_repositories.ts';
import { Migration20261121070000_delivery_facts } from './Migration20261121070000_delivery_facts.ts';
import { Migration20261121080000_ledger_standings } from './Migration20261121080000_ledger_standings.ts';
import { Migration20261121090000_job_readings } from './Migration20261121090000_job_readings.ts';
import { Migration20261121100000_filed_issues } from './Migration20261121100000_filed_issues.ts';
import { Migration20261121110000_access } from './Migration20261121110000_access.ts';
import { Migration20261122010000_collection } from './Migration20261122010000_collection.ts';
import { Migration20261122020000_resumed_jobs } from './Migration20261122020000_resumed_jobs.ts';
import { Migration20261122030000_retention } from './Migration20261122030000_retention.ts';
import { Migration20261122031000_keys } from './Migration20261122031000_keys.ts';
import { Migration20261122040000_notices } from './Migration20261122040000_notices.ts';
import { Migration20261122050000_readings_by_repository } from './Migration20261122050000_readings_by_repository.ts';
import { Migration20261122060000_taking_in } from './Migration20261122060000_taking_in.ts';
import { Migration20261122070000_alerts } from './Migration20261122070000_alerts.ts';
import { Migration20261122080000_mail_standing } from './Migration20261122080000_mail_standing.ts';
import { Migration20261122090000_ai } from './Migration20261122090000_ai.ts';
import { Migration20261122100000_values_of_rules } from './Migration20261122100000_values_of_rules.ts';

/** Every migration, oldest first: a list, because the server is bundled; with names, because a bundler may rename classes. */
export const migrations = [
  { name: 'Migration20261121010000_repositories', class: Migration20261121010000_repositories },
  { name: 'Migration20261121020000_workflow_runs', class: Migration20261121020000_workflow_runs },
  { name: 'Migration20261121030000_rollups', class: Migration20261121030000_rollups },
  { name: 'Migration20261121040000_service', class: Migration20261121040000_service },
  { name: 'Migration20261121050000_org_days', class: Migration20261121050000_org_days },
  {
    name: 'Migration20261121060000_unreachable_repositories',
    class: Migration20261121060000_unreachable_repositories,
  },
  { name: 'Migration20261121070000_delivery_facts', class: Migration20261121070000_delivery_facts },
  { name: 'Migration20261121080000_ledger_standings', class: Migration20261121080000_ledger_standings },
  { name: 'Migration20261121090000_job_readings', class: Migration20261121090000_job_readings },
  { name: 'Migration20261121100000_filed_issues', class: Migration20261121100000_filed_issues },
  { name: 'Migration20261121110000_access', class: Migration20261121110000_access },
  { name: 'Migration20261122010000_collection', class: Migration20261122010000_collection },
  { name: 'Migration20261122020000_resumed_jobs', class: Migration20261122020000_resumed_jobs },
  { name: 'Migration20261122030000_retention', class: Migration20261122030000_retention },
  { name: 'Migration20261122031000_keys', class: Migration20261122031000_keys },
  { name: 'Migration20261122040000_notices', class: Migration20261122040000_notices },
  {
    name: 'Migration20261122050000_readings_by_repository',
    class: Migration20261122050000_readings_by_repository,
  },
  { name: 'Migration20261122060000_taking_in', class: Migration20261122060000_taking_in },
  { name: 'Migration20261122070000_alerts', class: Migration20261122070000_alerts },
  { name: 'Migration20261122080000_mail_standing', class: Migration20261122080000_mail_standing },
  { name: 'Migration20261122090000_ai', class: Migration20261122090000_ai },
  { name: 'Migration20261122100000_values_of_rules', class: Migration20261122100000_values_of_rules },
];
