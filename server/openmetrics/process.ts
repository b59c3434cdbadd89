// What this process is and takes.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { serviceVersion } from '../domain/service-version.ts';
import type { Env } from '../platform/env.ts';
import { type Measured, measured, measuredOne, metricFamily } from '../platform/metric-family.ts';
import { requestsInFlight } from '../platform/process-metrics.ts';

const build = metricFamily({
  name: 'das_build',
  type: 'info',
  unit: '',
  help: 'The running version, and how the service is set up.',
  labels: ['version', 'mode'],
});

const startTime = metricFamily({
  name: 'das_process_start_time_seconds',
  type: 'gauge',
  unit: 'seconds',
  help: 'When this process started, in Unix time.',
});

const residentMemory = metricFamily({
  name: 'das_process_resident_memory_bytes',
  type: 'gauge',
  unit: 'bytes',
  help: 'Resident memory of this process.',
});

const cpuTime = metricFamily({
  name: 'das_process_cpu_seconds',
  type: 'counter',
  unit: 'seconds',
  help: 'Processor time of this process, of user and system together.',
});

const eventLoopDelay = metricFamily({
  name: 'das_event_loop_delay_seconds',
  type: 'gauge',
  unit: 'seconds',
  help: 'How late the event loop was since the scrape before.',
  labels: ['quantile_of'],
});

const inFlight = metricFamily({
  name: 'das_http_requests_in_flight',
  type: 'gauge',
  unit: '',
  help: 'Requests that are being answered.',
});

export const processFamilies = [build, startTime, residentMemory, cpuTime, eventLoopDelay, inFlight] as const;

type EventLoop = ReturnType<typeof monitorEventLoopDelay>;

/** Milliseconds between two looks at the event loop. */
const resolution = 10;

/** Begins to observe the event loop; a process without `/metrics` does without. */
export function observeEventLoop(): EventLoop {
  const observed = monitorEventLoopDelay({ resolution });
  observed.enable();
  return observed;
}

/** What of a wait was more than the time between two looks, in seconds; null before the first look. */
const lateness = (nanoseconds: number): number | null =>
  Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - resolution / 1000) : null;

export function measureProcess(env: Pick<Env, 'MODE'>, eventLoop: EventLoop): Measured[] {
  const { user, system } = process.cpuUsage();
  const isEmpty = eventLoop.count === 0;
  const delays = (['0.5', '0.99'] as const).map((quantile) => {
    const value = isEmpty ? null : lateness(eventLoop.percentile(Number(quantile) * 100));
    return [{ quantile_of: quantile }, value] as const;
  });
  eventLoop.reset();
  return [
    measured(build, [[{ version: serviceVersion, mode: env.MODE }, 1]]),
    measuredOne(startTime, performance.timeOrigin / 1000),
    measuredOne(residentMemory, process.memoryUsage.rss()),
    measuredOne(cpuTime, (user + system) / 1e6),
    measured(eventLoopDelay, delays),
    measuredOne(inFlight, requestsInFlight.now),
  ];
}
