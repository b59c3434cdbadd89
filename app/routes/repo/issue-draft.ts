import { count, duration } from '../../../server/domain/quantity.ts';

/** What is known of an unusual run; null where a link did not say it, or said it in no usable form. */
export interface UnusualRun {
  metric: 'duration' | 'queue_wait' | null;
  direction: 'high' | 'low' | null;
  severity: 'moderate' | 'high' | 'extreme' | null;
  runId: number | null;
  runNumber: number | null;
  valueMs: number | null;
  expectedMs: number | null;
  limitMs: number | null;
  sample: number | null;
  /** RFC 3339. */
  at: string | null;
  event: string | null;
  branch: string | null;
}

export interface IssueDraft {
  title: string;
  body: string;
}

const metrics = { duration: 'duration', queue_wait: 'queue wait' };

/** Title and text of an issue about an unusual run, in Markdown; both empty when nothing unusual is reported. */
export function issueDraft(run: UnusualRun, repositoryUrl: string): IssueDraft {
  if (run.metric === null || run.valueMs === null) return { title: '', body: '' };
  const what = metrics[run.metric];
  const name = run.runNumber === null ? 'a run' : `run ${run.runNumber}`;
  const instead = run.expectedMs === null ? '' : ` instead of ${duration(run.expectedMs)}`;
  const linked = run.runId === null ? name : `[${name}](${repositoryUrl}/actions/runs/${run.runId})`;
  const basis = run.sample === null ? '' : `, the median of ${count(run.sample, 'earlier run')}`;
  const facts = [
    `Took: ${duration(run.valueMs)}`,
    run.expectedMs === null ? null : `Expected: ${duration(run.expectedMs)}${basis}`,
    run.limitMs === null ? null : `Unusual from: ${duration(run.limitMs)}`,
    run.direction && `Direction: too ${run.direction === 'high' ? 'long' : 'short'}`,
    run.severity && `Severity: ${run.severity}`,
    run.at && `Created: ${run.at}`,
    run.event && `Event: ${literal(run.event)}`,
    run.branch && `Branch: ${literal(run.branch)}`,
  ];
  const list = facts.flatMap((fact) => (fact === null ? [] : `- ${fact}`)).join('\n');
  return {
    title: plain(`Unusual ${what}: ${duration(run.valueMs)}${instead} in ${name}`),
    body: plain(`The ${what} of ${linked} is unusual.\n\n${list}\n\n${definition}\n`),
  };
}

const definition =
  'How this works: a run is compared with earlier runs of the same event type. It is unusual when its value is far from their median, relative to their usual spread.';

/** A figure and its unit are set with spaces that do not break, by which nobody searches. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

/** In a code span, where a name mentions nobody. */
const literal = (text: string) => `\`${text.replace(/[`\p{Cc}]/gu, ' ').trim()}\``;

/** The facts as a form's address carries them. */
export function draftQuery(run: UnusualRun): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(run)) if (value !== null) query.set(name, String(value));
  return query;
}

/** The facts that an address carries; what is not of their form is ignored. */
export function getUnusualRun(query: URLSearchParams): UnusualRun {
  const word = <Word extends string>(name: string, phrase: readonly Word[]) =>
    phrase.find((one) => one === query.get(name)) ?? null;
  const integer = (name: string) => (/^\d{1,15}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : null);
  const short = (name: string) => query.get(name)?.slice(0, 100) || null;
  const at = query.get('at') ?? '';
  return {
    metric: word('metric', ['duration', 'queue_wait']),
    direction: word('direction', ['high', 'low']),
    severity: word('severity', ['moderate', 'high', 'extreme']),
    runId: integer('runId'),
    runNumber: integer('runNumber'),
    sample: integer('sample'),
    valueMs: integer('valueMs'),
    expectedMs: integer('expectedMs'),
    limitMs: integer('limitMs'),
    at: /^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/.test(at) ? at : null,
    event: short('event'),
    branch: short('branch'),
  };
}
