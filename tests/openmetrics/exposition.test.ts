import { describe, expect, test } from 'vitest';
import { counter, histogram } from '../../server/platform/counters.ts';
import { writeExposition } from '../../server/platform/exposition.ts';
import { measured, measuredOne, metricFamily } from '../../server/platform/metric-family.ts';
import { lint } from './lint.ts';

const leadTime = metricFamily({
  name: 'das_repository_lead_time_seconds',
  type: 'gauge',
  unit: 'seconds',
  help: 'Lead time.',
  labels: ['owner', 'repo', 'window', 'quantile_of'],
});
const build = metricFamily({
  name: 'das_build',
  type: 'info',
  unit: '',
  help: 'A "build" \\ of\ntwo lines.',
  labels: ['version'],
});
const up = metricFamily({ name: 'das_database_up', type: 'gauge', unit: '', help: 'Up.' });

describe('the text of families', () => {
  const requests = counter({ name: 'das_http_requests', unit: '', help: 'Requests.', labels: ['operation', 'method'] });
  const durations = histogram(
    { name: 'das_wait_seconds', unit: 'seconds', help: 'Waits.', labels: ['operation'] },
    [0.005, 1, 2.5],
  );
  requests.add({ method: 'GET', operation: 'page' });
  requests.add({ operation: 'page', method: 'GET' }, 2);
  requests.add({ operation: 'page', method: 'POST' });
  for (const seconds of [0.005, 0.5, 2.6]) durations.observe({ operation: 'page' }, seconds);
  const families = [
    measured(build, [[{ version: '1.2.3' }, 1]]),
    measuredOne(up, 1),
    requests.measured(),
    durations.measured(),
    measured(leadTime, [[{ quantile_of: '0.5', owner: 'acme', repo: 'shop', window: '90d' }, 26.4 * 3600]]),
  ];

  test('in OpenMetrics', async () => {
    expect(await writeExposition(families, 'openmetrics')).toBe(`# TYPE das_build info
# HELP das_build A \\"build\\" \\\\ of\\ntwo lines.
das_build_info{version="1.2.3"} 1
# TYPE das_database_up gauge
# HELP das_database_up Up.
das_database_up 1
# TYPE das_http_requests counter
# HELP das_http_requests Requests.
das_http_requests_total{operation="page",method="GET"} 3
das_http_requests_total{operation="page",method="POST"} 1
# TYPE das_wait_seconds histogram
# UNIT das_wait_seconds seconds
# HELP das_wait_seconds Waits.
das_wait_seconds_bucket{operation="page",le="0.005"} 1
das_wait_seconds_bucket{operation="page",le="1.0"} 2
das_wait_seconds_bucket{operation="page",le="2.5"} 2
das_wait_seconds_bucket{operation="page",le="+Inf"} 3
das_wait_seconds_count{operation="page"} 3
das_wait_seconds_sum{operation="page"} 3.105
# TYPE das_repository_lead_time_seconds gauge
# UNIT das_repository_lead_time_seconds seconds
# HELP das_repository_lead_time_seconds Lead time.
das_repository_lead_time_seconds{owner="acme",repo="shop",window="90d",quantile_of="0.5"} 95040
# EOF
`);
  });

  test('in the older format: no units, information as a gauge, counters under their whole name', async () => {
    const text = await writeExposition(families, 'text');
    expect(text).toContain(`# HELP das_build_info A "build" \\\\ of\\ntwo lines.\n# TYPE das_build_info gauge\n`);
    expect(text).toContain('# HELP das_http_requests_total Requests.\n# TYPE das_http_requests_total counter\n');
    expect(text).not.toMatch(/UNIT|EOF/);
  });

  test.each(['openmetrics', 'text'] as const)('%s follows the rules', async (format) => {
    expect(lint(await writeExposition(families, format))).toEqual([]);
  });

  test('has no family without samples, and no sample of a value that is not known', async () => {
    const families = [measuredOne(up, null), measured(leadTime, [])];
    expect(await writeExposition(families, 'text')).toBe('');
    expect(await writeExposition(families, 'openmetrics')).toBe('# EOF\n');
    expect(await writeExposition([measuredOne(up, 0)], 'text')).toMatch(/\ndas_database_up 0\n$/);
  });

  test('escapes what strangers wrote', async () => {
    const text = await writeExposition([measured(build, [[{ version: 'a"b\\c\nd\ud800' }, -0]])], 'openmetrics');
    expect(text).toContain('das_build_info{version="a\\"b\\\\c\\nd\ufffd"} 0\n');
    expect(lint(text)).toEqual([]);
  });
});

test('a family without its unit at the end of its name cannot be declared', () => {
  expect(() => metricFamily({ name: 'das_age', type: 'gauge', unit: 'seconds', help: 'Age.' })).toThrow('das_age');
});

describe('the ported rules find', () => {
  test.each([
    ['# HELP das_a_total A.\n# TYPE das_a_total gauge\ndas_a_total 1\n', 'ends in _total'],
    ['# TYPE das_a gauge\ndas_a 1\n', 'no help'],
    ['# HELP das_a A.\n# TYPE das_a counter\ndas_a 1\n', 'lacks _total'],
    ['# HELP das_a_minutes A.\n# TYPE das_a_minutes gauge\ndas_a_minutes 1\n', 'base unit'],
    ['# HELP das_a_count A.\n# TYPE das_a_count gauge\ndas_a_count 1\n', 'like a histogram'],
    ['# HELP das_a_gauge A.\n# TYPE das_a_gauge gauge\ndas_a_gauge 1\n', 'type in its name'],
    ['# HELP das_A A.\n# TYPE das_A gauge\ndas_A 1\n', 'snake_case'],
    ['# HELP das_a A.\n# TYPE das_a gauge\ndas_a 1.0\n', 'decimal point'],
    ['# HELP das_a A.\n# TYPE das_a gauge\ndas_a{b="c"} 1\ndas_a{b="c"} 2\n', 'twice'],
    ['# HELP das_a A.\n# TYPE das_a gauge\ndas_a{b="c"d"} 1\n', 'labels of'],
    [
      '# TYPE das_a gauge\n# HELP das_a A.\ndas_a 1\n# TYPE das_b gauge\n# HELP das_b B.\n# HELP das_a A.\n',
      'interleaved',
    ],
    ['# TYPE das_a_seconds gauge\n# HELP das_a_seconds A.\ndas_a_seconds 1\n# EOF\n', 'has unit null'],
  ])('%j', (text, problem) => {
    expect(lint(text).join('\n')).toContain(problem);
  });
});
