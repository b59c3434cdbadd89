import { Link } from '../../charts/link.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import { QueueCards } from './merge-queue-cards.tsx';
import { type QueueAnswer, queueFeature } from './merge-queue-labels.ts';
import { QueueTable } from './merge-queue-tables.tsx';
import type { RepositoryPath } from './panels.ts';

const shownEntries = 5;
const shownFigures = ['queue_length', 'queue_time_p50', 'ejection_rate', 'queue_ci_minutes_per_merge'] as const;

interface Props {
  result: QueueAnswer;
  repository: RepositoryPath;
}

/** The merge queue on the page of pull requests: nothing where there is none, or where it cannot be seen. */
export function QueuePanel({ result, repository }: Props) {
  const { base } = usePageContext();
  if (!result.ok || !result.data.used) return null;
  const { data } = result;
  const page = `${base}/repos/${repository.owner}/${repository.repo}/merge-queue`;
  return (
    <Section title={queueFeature.label} id="merge-queue" aside={<Link href={page}>See all</Link>}>
      <QueueCards data={data} repository={repository} only={shownFigures} />
      {data.entries.length > 0 ? (
        <QueueTable rows={data.entries.slice(0, shownEntries)} total={data.now?.length ?? null} />
      ) : null}
    </Section>
  );
}
