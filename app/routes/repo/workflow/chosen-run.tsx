import { quantity } from '../../../../server/domain/quantity.ts';
import type { Panel as Answer } from '../../../../server/http/adapters.ts';
import { withChoices } from '../../../components/choices.ts';
import { Links } from '../../../components/page.tsx';
import { Panel } from '../../../components/panel.tsx';
import type { RunJob, WorkflowAnswers } from './operations.ts';
import { RunComparison } from './run-comparison.tsx';
import { RunJobs } from './run-jobs.tsx';
import { findSlowest } from './slowest-runs.ts';

interface Props {
  jobs: Answer<RunJob[]>;
  run: string;
  answers: Partial<WorkflowAnswers>;
  search: string;
  now: number;
  zone: string;
}

/** The jobs of the run that was chosen, with its attempts and the other sampled runs to choose from. */
export function ChosenRun({ jobs, run, answers, search, now, zone }: Props) {
  const { number, attempts } = aboutRun(run, answers);
  const requested = Number(new URLSearchParams(search).get('attempt') ?? attempts);
  const stats = answers.jobStats?.ok ? answers.jobStats.data : null;
  const slowest = findSlowest(stats?.waterfall ?? []);
  return (
    <Panel
      title={`${stats ? 'What differs in the slow runs:' : 'Jobs of'} ${number === null ? `the run ${run}` : `run #${number}`}`}
      id="jobs"
      result={jobs}
    >
      {(data) => (
        <>
          <Choice
            label="Slowest runs"
            links={slowest.map(({ run_id, run_number, length_ms }) => ({
              label: `#${run_number} ${quantity(length_ms, 'milliseconds')}`,
              href: `${withChoices(search, { run: run_id, attempt: null })}#jobs`,
              current: String(run_id) === run,
            }))}
          />
          <Choice
            label="Attempts"
            links={Array.from({ length: attempts > 1 ? attempts : 0 }, (_, index) => ({
              label: `Attempt ${index + 1}`,
              href: `${withChoices(search, { run, attempt: index + 1 })}#jobs`,
              current: index + 1 === requested,
            }))}
          />
          {stats && data.length > 0 ? <RunComparison jobs={data} stats={stats} /> : null}
          <RunJobs jobs={data} now={now} zone={zone} />
        </>
      )}
    </Panel>
  );
}

function Choice({ label, links }: { label: string } & Parameters<typeof Links>[0]) {
  if (links.length === 0) return null;
  return (
    <nav className="tabs" aria-label={label}>
      <Links links={links} />
    </nav>
  );
}

/** By the number people know, which only the lists tell; and how many attempts it has. */
function aboutRun(run: string, { runs, jobStats }: Partial<WorkflowAnswers>) {
  const listed = runs?.ok ? runs.data.find(({ id }) => String(id) === run) : undefined;
  const sampled = jobStats?.ok ? jobStats.data.waterfall.find(({ run_id }) => String(run_id) === run) : undefined;
  const one = listed ?? sampled;
  return { number: one?.run_number ?? null, attempts: one?.run_attempt ?? 1 };
}
