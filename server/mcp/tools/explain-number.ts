import { z } from 'zod';
import { explain } from '../../api/explain.ts';
import { paging } from '../input.ts';
import { measure } from '../measurement.ts';
import { sharedOf } from '../shared.ts';
import { type Params, tool } from '../tool.ts';
import { untrusted } from '../untrusted.ts';

const { metric, owner, repo, org, login, half, environment, workflow_id, job, source, days, bots, range } =
  explain.input.shape;

const input = z.object({
  metric,
  owner,
  repo,
  org,
  login,
  half,
  environment,
  workflow_id,
  job,
  source,
  days,
  bots,
  range,
  ...paging,
});

export const explainNumber = tool({
  name: 'explain_number',
  title: 'Evidence',
  description:
    'Definition of one metric, its value, and the items it counts or leaves out with the reason. Metrics are listed in das://glossary; each needs owner and repo, org, login or workflow_id.',
  input,
  operations: [explain],
  questions: (given) => [{ operation: explain, params: paramsOf(given) }],
  async run(given, reader) {
    const params = paramsOf(given);
    const part = await reader.read(explain, params);
    const { label, unit, better, definition, levels, no_value, counted, left_out } = part.answer;
    const page = explainPage(params);
    const shared = sharedOf(reader, params, page);
    const place = {
      key: given.metric,
      // The name of a job is somebody else's text.
      label: given.job === undefined ? label : label.replace(`: ${given.job}`, ''),
      unit,
      better,
      at: '/value',
      n: '/sample',
      interval: '/interval',
      metric: null,
      ...(no_value ? { missing: no_value } : {}),
    };
    return {
      subject: subjectOf(given),
      parts: [part],
      measurements: [measure(part, place, shared)],
      items: [
        { key: 'definition', value: { kind: 'definition', definition, levels } },
        ...counted.map((item, index) => ({ key: `counted ${index}`, value: { kind: 'counted', ...itemOf(item) } })),
        ...left_out.flatMap(({ reason, count, items }) => [
          { key: `excluded ${reason}`, value: { kind: 'excluded', reason, count } },
          ...items.map((item, index) => ({
            key: `excluded ${reason} ${index}`,
            value: { kind: 'excluded_item', reason, ...itemOf(item) },
          })),
        ]),
      ],
      page,
    };
  },
});

/** What the operation takes of the input. */
function paramsOf({ cursor: _cursor, limit: _limit, ...params }: z.output<typeof input>): Params {
  return params;
}

function explainPage(params: Params): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value !== undefined) search.set(name, String(value));
  return `/explain?${search}`;
}

const itemOf = ({
  label,
  url,
  at,
  value,
}: {
  label: string;
  url: string | null;
  at: string | null;
  value: number | null;
}) => ({
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
