import { useLocation } from 'react-router';
import { Empty } from '../../../components/notice.tsx';
import { Panel } from '../../../components/panel.tsx';
import { AiAsk, generatedId, WrittenBy } from '../../ai-card.tsx';
import type { AiOffer, Explanation } from '../../ai-offer.ts';
import { usePageContext } from '../../page-context.ts';

const titles: Record<Explanation['about'], string> = {
  duration: 'Generated explanation of unusual durations',
  queue_wait: 'Generated explanation of unusual queue waits',
  root_cause: 'Generated hypotheses about failures',
};

/** What may be behind unusual and failed runs in generated words, once somebody asks for them. */
export function AiExplanations({ of }: { of: AiOffer<Explanation> | null }) {
  const { now, zone } = usePageContext();
  const { pathname, search } = useLocation();
  if (of === null) return null;
  const ask = (
    <AiAsk title="Generated explanations" search={search}>
      {(['duration', 'queue_wait', 'root_cause'] as const).map((about) => (
        <button key={about} type="submit" name="ai" value={about}>
          {buttons[about]}
        </button>
      ))}
    </AiAsk>
  );
  const { text } = of;
  if (text === null) return ask;
  const shown = {
    title: titles[text.about],
    now,
    zone,
    id: generatedId,
    retryHref: `${pathname}${search}#${generatedId}`,
  };
  return (
    <>
      {text.about === 'root_cause' ? (
        <Panel {...shown} of={text.answer}>
          {(data) => <Hypotheses of={data} />}
        </Panel>
      ) : (
        <Panel {...shown} of={text.answer}>
          {(data) => <Unusual of={data} />}
        </Panel>
      )}
      {ask}
    </>
  );
}

const buttons: Record<Explanation['about'], string> = {
  duration: 'Explain unusual durations',
  queue_wait: 'Explain unusual queue waits',
  root_cause: 'Suggest causes of failures',
};

type DataOf<About> = Extract<Extract<Explanation, { about: About }>['answer'], { ok: true }>['data'];

const Unusual = ({ of }: { of: DataOf<'duration' | 'queue_wait'> }) => (
  <>
    <p>{of.content.explanation}</p>
    <p>
      <strong>Check first:</strong> {of.content.check}
    </p>
    <WrittenBy of={of} />
  </>
);

function Hypotheses({ of }: { of: DataOf<'root_cause'> }) {
  if (of.content === null)
    return <Empty cause={`Fewer than three of the newest 50 runs failed (${of.failure_count}): too few to say why.`} />;
  return (
    <>
      <ol>
        {of.content.hypotheses.map((one) => (
          <li key={one.rank}>
            <strong>{one.hypothesis}</strong> ({one.confidence} confidence)
            <p>{one.evidence}</p>
            <p>
              <strong>Next:</strong> {one.next_step}
            </p>
          </li>
        ))}
      </ol>
      <WrittenBy of={of} />
    </>
  );
}
