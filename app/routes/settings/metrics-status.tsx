import type { MetricsStatus as Status } from '../../../server/api/settings/otlp/metrics-status.ts';
import { Badge } from '../../components/badge.tsx';
import { Facts } from '../../components/facts.tsx';

const repositories = { public: 'public ones', all: 'all, with the names of private ones', none: 'none' } as const;

/** Whether Prometheus can read `/metrics`, and what it finds there; the environment decides all of it. */
export function MetricsStatus({ status }: { status: Status }) {
  const { address, listener } = status;
  const isOn = address !== null || listener !== null;
  return (
    <>
      <p>
        <Badge status={isOn ? 'pass' : 'void'}>{isOn ? 'On' : 'Off'}</Badge> {isOn ? null : 'METRICS_TOKEN is not set.'}
      </p>
      {isOn ? (
        <Facts
          facts={[
            ...(address ? [{ label: 'With METRICS_TOKEN', value: address }] : []),
            ...(listener ? [{ label: 'Without a token', value: listener }] : []),
            { label: 'Repositories', value: repositories[status.repositories] },
            { label: 'Single workflows', value: status.has_workflows ? 'yes, by id' : 'no' },
          ]}
        />
      ) : null}
      <p className="source">
        Set in the environment. <a href="/docs/open/metrics">How to scrape, and what is shown</a>
      </p>
    </>
  );
}
