/** Why a finding is not offered as a recommendation; contract of the advisor, section 8.8. */
export const reasonTexts = {
  history_absent: 'Jobs of fewer than 28 days are stored.',
  sample_too_small: 'Too few runs to tell.',
  deploys: 'The workflow deploys, publishes or can write.',
  deployments_unknown: 'Whether runs were followed by a deployment cannot be read.',
  shared_name: 'Another workflow has the same name, so that the two would cancel each other.',
  called_workflow: 'Other workflows call it, or it runs after another one.',
  starts_others: 'Another workflow starts when it ends.',
  calls_workflow: 'It calls another workflow, whose use of the token is not known.',
  event_types: 'It also starts for other activity, such as labels.',
  watches_outside: 'It watches something outside the repository.',
  several_schedules: 'It has several schedules, whose runs cannot be distinguished.',
  lost_runs: 'Too many pushes are to branches without a pull request: they would have no run.',
  release_branches: 'Too many long-lived branches are built by pushes.',
  reads_event: 'A condition or a concurrency group depends on the event or the ref.',
  continue_on_error: 'Cells of the matrix may fail without failing the run.',
  already_cached: 'The job uses a cache already, or the action may, by what package.json says.',
  version_unknown: 'The version of the action is not known, or it may have no such input.',
  set_up_later: 'The lock file, or the tool that reads it, is not there yet when the action looks for it.',
  privileged: 'Untrusted users can start it with the permissions of the repository, and so write to its caches.',
  self_hosted: 'The runner is self-hosted, or may be: it can have a cache of its own.',
  caches_unknown: 'What the caches of the repository take cannot be read.',
  caches_full: 'The caches of the repository take more than 8 of 10 GB.',
  divides_work: 'An axis of the matrix may divide the work, so that a cell is a part of it.',
  uploads_artifacts: 'Each cell uploads something of its own.',
  required_check: 'Pull requests need the check.',
  required_unknown: 'Whether pull requests need the check is not known.',
  reads_history: 'A later step reads the history of the repository, or may.',
  artifacts_read: 'A workflow fetches artifacts of another run, which may need them for longer.',
  files_unread: 'Not all workflow files could be read, and what they contain may exclude it.',
  reads_artifacts: 'A later job reads artifacts of the matrix even after a failure.',
  flaky: 'A tenth of its failures or more were flaky; stopping early would hide which cells are.',
  longer_lately: 'The job has become slower in the last 14 days.',
  tests_documentation: 'The workflow looks at documentation, or failed because of it.',
  many_files: 'More than one in a hundred changes has over 300 files, of which filters of paths see no more.',
  ended_passing: 'A job passed after more time than the limit, on a day that is not counted.',
  jobs_not_mapped: 'Recorded jobs fit the names of several jobs of the file.',
  waits_for_approval: 'The job uses an environment, which may wait for an approval.',
  token_use_unknown: 'The file does not show what the token is used for.',
  needs_credentials: 'A later step may need the credentials of the checkout.',
  reference_unknown: 'The commit behind the ref is not known.',
  queue_max: 'The group keeps up to 100 runs in order, which excludes cancelling.',
  generated_file: 'The file is generated; change what generates it.',
  shared_node: 'The lines are shared through a YAML anchor.',
  unusual_yaml: 'The file uses YAML that is not changed automatically.',
  expression: 'The value is an expression.',
  suppressed: 'A comment in the file suppresses it.',
  too_large: 'Computing it took too long.',
  minutes_rise: 'The minutes would rise by more than 5 %.',
  below_materiality:
    'Too little is certain: the range begins below 1 % of the minutes and below 30 minutes in 28 days; of the time that runs take, below 5 % or 30 seconds; of the cost, below 1 %.',
} as const;

export type ReasonCode = keyof typeof reasonTexts;

/** The codes whose condition holds, in their order. */
export const reasonsWhere = (conditions: Partial<Record<ReasonCode, boolean>>): ReasonCode[] =>
  (Object.keys(conditions) as ReasonCode[]).filter((code) => conditions[code]);

/** Why the effect of a recommendation is not predicted; contract, section 8.8. */
export const predictionReasonTexts = {
  not_offered: 'It is not recommended.',
  history_absent: 'Jobs of fewer than 28 days are stored.',
  sample_too_small: 'Too few runs, commits or jobs to tell: fewer than 20 of what it is measured per.',
  minutes_not_reproduced: 'The stored jobs do not add up to the minutes that were stored with them.',
  queue_not_reproduced: 'Jobs wait for runners, and how long they do decides how many minutes are saved.',
  level_changed: 'The minutes, or the runner, had a lasting change within the last 28 days.',
  price_unknown: 'Less than 95 % of the minutes have a known price.',
  shared_pool: 'Jobs wait for runners, so that starting one earlier may make others wait.',
  nothing_to_compare: 'What is stored does not show what the change would do.',
  too_large: 'Computing it took too long.',
  pending: 'It has not been computed yet.',
} as const;

export type PredictionReason = keyof typeof predictionReasonTexts;
