import { useLocation } from 'react-router';
import { Empty } from '../../../components/notice.tsx';
import { Panel } from '../../../components/panel.tsx';
import { AiAsk, generatedId, WrittenBy } from '../../ai/card.tsx';
import type { Explanation, ExplanationOffer } from '../../ai/offer.ts';

const titles: Record<Explanation['about'], string> = {
  duration: 'Generated explanation of unusual durations',
  queue_wait: 'Generated explanation of unusual queue waits',
  root_cause: 'Generated hypotheses about failures',
};

/** What may be behind unusual and failed runs in generated words, once somebody asks for them. */
export function AiExplanations({ offer }: { offer: ExplanationOffer | null }) {
  const { pathname, search } = useLocation();
  if (offer === null) return null;
  const ask = (
    <AiAsk title="Generated explanations" search={search}>
      {offer.about.map((about) => (
        <button key={about} type="submit" name="ai" value={about}>
          {buttons[about]}
        </button>
      ))}
    </AiAsk>
  );
  const { text } = offer;
  if (text === null) return ask;
  const shown = {
    title: titles[text.about],
    id: generatedId,
    retryHref: `${pathname}${search}#${generatedId}`,
  };
  return (
    <>
      {text.about === 'root_cause' ? (
        <Panel {...shown} result={text.answer}>
          {(data) => <Hypotheses data={data} />}
        </Panel>
      ) : (
        <Panel {...shown} result={text.answer}>
          {(data) => <Unusual data={data} />}
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

type ResultData<About> = Extract<Extract<Explanation, { about: About }>['answer'], { ok: true }>['data'];

const Unusual = ({ data }: { data: ResultData<'duration' | 'queue_wait'> }) => (
  <>
    <p>{data.content.explanation}</p>
    <p>
      <strong>Check first:</strong> {data.content.check}
    </p>
    <WrittenBy data={data} />
  </>
);

function Hypotheses({ data }: { data: ResultData<'root_cause'> }) {
  if (data.content === null)
    return <Empty cause={`Fewer than three of the latest 50 runs failed (${data.failure_count}).`} />;
  return (
    <>
      <ol>
        {data.content.hypotheses.map((one) => (
          <li key={one.rank}>
            <strong>{one.hypothesis}</strong> ({one.confidence} confidence)
            <p>{one.evidence}</p>
            <p>
              <strong>Next:</strong> {one.next_step}
            </p>
          </li>
        ))}
      </ol>
      <WrittenBy data={data} />
    </>
  );
}
