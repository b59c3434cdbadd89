import { expect, test } from 'vitest';
import { negotiateFormat } from '../../server/openmetrics/negotiation.ts';

const om = 'application/openmetrics-text';

test.each([
  // Prometheus 2 and 3, VictoriaMetrics, Datadog and curl, as they ask.
  [`${om};version=1.0.0,${om};version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1`, 'openmetrics'],
  [
    `application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.6,${om};version=1.0.0;escaping=allow-utf-8;q=0.5,${om};version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1`,
    'openmetrics',
  ],
  ['text/plain;version=0.0.4;q=1,*/*;q=0.1', 'text'],
  [`${om}; version=1.0.0; charset=utf-8, text/plain`, 'openmetrics'],
  ['*/*', 'text'],
  [null, 'text'],
  [om, 'openmetrics'],
  [`${om};q=0, */*`, 'text'],
  [`${om};version=2.0.0`, 'text'],
  [`${om};version="1.0.0";q=0.4, text/plain;q=0.5`, 'text'],
  ['application/vnd.google.protobuf', 'text'],
  [`text/*;q=0.9, ${om};version=1.0.0;q=0.8, text/plain;q=0.1`, 'openmetrics'],
  [`${om};q=nonsense, text/html`, 'text'],
])('%s', (accept, format) => {
  expect(negotiateFormat(accept)).toBe(format);
});
