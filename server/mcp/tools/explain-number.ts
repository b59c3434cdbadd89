import { z } from 'zod';
import { explain } from '../../api/explain.ts';
import { explanations } from '../../reports/kernel/explanations.ts';
import { paging } from '../input.ts';
import { bounds, measure } from '../measurement.ts';
import { sharedOf } from '../shared.ts';
import { type Params, tool } from '../tool.ts';
import { untrusted } from '../untrusted.ts';

/** The pages of an explanation are for people: without them all items come at once. */
const { per_page: _perPage, page: _page, ...parameters } = explain.input.shape;

/** When somebody worked starts a conversation between people; it is no material for agents. */
const explained = [...explanations].filter(([, { feature }]) => feature !== 'workloadRisk').map(([metric]) => metric);

const input = z.object({ ...parameters, metric: z.enum(explained), ...paging });

export const explainNumber = tool({
  name: 'explain_number',
  title: 'Evidence',
  question: 'Which pull requests make up this lead time?',
  description:
    'Definition of one metric, its value, and the items it counts or leaves out with the reason. Metrics are listed in das://glossary; each needs owner and repo, org, login or workflow_id.',
  input,
  operations: [explain],
  needs: 'that of the metric',
  questions: (given) => [{ operation: explain, params: paramsOf(given) }],
  async run(given, reader) {
    const params = paramsOf(given);
    const part = await reader.read(explain, params);
    const { label, unit, better, levels, no_value, counted, left_out } = part.answer;
    const shared = sharedOf(reader, params, explainPage(params));
    const place = {
      key: given.metric,
      label: ownPart(label),
      unit,
      better,
      at: '/value',
      n: '/sample',
      interval: bounds('/interval'),
      metric: null,
      missing: no_value,
    };
    return {
      subject: subjectOf(given),
      parts: [part],
      measurements: [measure(part, place, shared)],
      items: [
        { key: 'definition', value: { kind: 'definition', definition: definitionOf(part.answer), levels } },
        ...counted.map((item) => ({ key: `counted ${nameOf(item)}`, value: { kind: 'counted', ...itemOf(item) } })),
        ...left_out.flatMap(({ reason, count, items }) => [
          { key: `excluded ${reason}`, value: { kind: 'excluded', reason, count } },
          ...items.map((item) => ({
            key: `excluded ${reason} ${nameOf(item)}`,
            value: { kind: 'excluded_item', reason, ...itemOf(item) },
          })),
        ]),
      ],
      // Names of jobs, environments, branches and rules are texts of others, and this address stands in the summary.
      page: explainPage({ ...params, job: undefined, environment: undefined, branch: undefined, rule: undefined }),
    };
  },
});

/** Metrics of one environment, which their definition names: that is somebody else's text. */
const ofAnEnvironment = new Set(['total_deployments', 'deploys_per_day', 'change_failure_rate_pct']);

const definitionOf = ({ metric, definition }: { metric: string; definition: string | null }) =>
  ofAnEnvironment.has(metric) ? untrusted(definition) : definition;

/** Behind a colon a label names a job or a workflow, which is somebody else's text. */
const ownPart = (label: string): string => label.split(': ', 1)[0] ?? label;

/** What the operation takes of the input. */
function paramsOf({ cursor: _cursor, limit: _limit, ...params }: z.output<typeof input>): Params {
  return params;
}

function explainPage(params: Params): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value !== undefined) search.set(name, String(value));
  return `/explain?${search}`;
}

interface Evidence {
  label: string;
  url: string | null;
  at: string | null;
  value: number | null;
}

const nameOf = ({ label, url, at }: Evidence) => `${url ?? label} ${at}`;

const itemOf = ({ label, url, at, value }: Evidence) => ({
  label: untrusted(label),
  url: untrusted(url),
  at,
  value,
});

function subjectOf({ owner, repo, org, login, workflow_id }: z.output<typeof input>) {
  return {
    ...(owner ? { owner } : {}),
    ...(repo ? { repo } : {}),
    ...(org ? { org } : {}),
    ...(login ? { login } : {}),
    ...(workflow_id ? { workflow_id } : {}),
  };
}
