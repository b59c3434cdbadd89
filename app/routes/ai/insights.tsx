import { useLocation } from 'react-router';
import { Panel } from '../../components/panel.tsx';
import { AiAsk, AskForm, generatedId, WrittenBy } from './card.tsx';
import type { AiOffer, Insights } from './offer.ts';

const title = 'AI summary';

/** How a repository or an organization is doing in generated words, once somebody asks for them. */
export function AiInsights({ offer }: { offer: AiOffer<Insights> | null }) {
  const { pathname, search } = useLocation();
  if (offer === null) return null;
  if (offer.text === null)
    return (
      <AiAsk title={title} search={search}>
        <button type="submit" name="ai" value="insights">
          Generate summary
        </button>
      </AiAsk>
    );
  return (
    <Panel
      title={title}
      id={generatedId}
      result={offer.text}
      retryHref={`${pathname}${search}#${generatedId}`}
      feature={{ label: 'Organization health', shows: 'the scores the summary is based on' }}
    >
      {(data) => <Summary data={data} search={search} />}
    </Panel>
  );
}

type Data = Extract<Insights, { ok: true }>['data'];

function Summary({ data, search }: { data: Data; search: string }) {
  const { summary, bullets, actions } = data.content;
  return (
    <>
      <p>{summary}</p>
      <List items={bullets} />
      {actions.length > 0 ? <h3>Next steps</h3> : null}
      <List items={actions} />
      <WrittenBy data={data} />
      <AskForm search={search}>
        <input type="hidden" name="refresh" value="1" />
        <button type="submit" name="ai" value="insights">
          Regenerate
        </button>
      </AskForm>
    </>
  );
}

const List = ({ items }: { items: string[] }) =>
  items.length === 0 ? null : (
    <ul>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
