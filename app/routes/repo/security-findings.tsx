import { count, figures } from '../../../server/domain/quantity.ts';
import { Badge } from '../../components/badge.tsx';
import { Moment } from '../../components/moment.tsx';
import { Empty, Notice } from '../../components/notice.tsx';
import { severityStatus } from '../security/labels.ts';
import type { Scan } from './security.tsx';

interface Props {
  data: Scan;
  /** Whether findings are left out by a choice, or all of them because they have no age. */
  filter?: 'any' | 'age' | null;
  csvHref: string;
  sarifHref: string;
}

type Finding = Scan['results'][number]['findings'][number];
type Severity = Finding['severity'];

/** Findings in the workflow files, by rule, with the files and lines under each. */
export function WorkflowFindings({ data, filter = null, csvHref, sarifHref }: Props) {
  if (data.status === 'no_workflows') return <None />;
  const findings = data.results.flatMap((file) => file.findings);
  const suppressed = findings.filter(isSuppressed);
  const open = findings.filter((finding) => !isSuppressed(finding));
  const rules = byRule(open);
  return (
    <>
      <p>
        {figures(data.workflows_scanned)} of {count(data.workflows_found, 'workflow file')} scanned
        {open.length ? `; ${count(open.length, 'finding')}: ${describeSeverities(open)}.` : '.'}
      </p>
      <NotScanned data={data} />
      <LookedUp lookup={data.online_rules} />
      {rules.map((rule) => (
        <Rule key={rule.id} rule={rule} />
      ))}
      {rules.length === 0 && data.status === 'ok' ? <p>{nothingFound[filter ?? 'none']}</p> : null}
      <Suppressed findings={suppressed} />
      <p className="source">
        <a href={csvHref}>CSV</a> <a href={sarifHref}>SARIF</a>
      </p>
    </>
  );
}

const nothingFound = {
  none: 'No rule found anything in what was read.',
  any: 'No finding matches the filter.',
  age: 'Findings have no age, so the filter leaves them out.',
};

const isSuppressed = ({ suppression }: Finding) => suppression?.state === 'active';

interface BrokenRule {
  id: string;
  severity: Severity;
  /** By file and line; at least one. */
  findings: [Finding, ...Finding[]];
}

/** The gravest first, then those with most places. */
function byRule(findings: readonly Finding[]): BrokenRule[] {
  const rules = [...Map.groupBy(findings, ({ rule_id, severity }) => `${rule_id} ${severity}`).values()];
  return rules
    .flatMap(([first, ...others]) =>
      first
        ? [{ id: `${first.rule_id} ${first.severity}`, severity: first.severity, findings: places(first, others) }]
        : [],
    )
    .sort((a, b) => rank(a.severity) - rank(b.severity) || b.findings.length - a.findings.length);
}

const places = (first: Finding, others: Finding[]): BrokenRule['findings'] => [first, ...others];

const severities = ['critical', 'high', 'medium', 'info'] as const;
const rank = (severity: Severity) => severities.indexOf(severity);

/** A finding for each place, as the table of the organization counts them. */
const describeSeverities = (open: readonly Finding[]) =>
  severities
    .map((severity) => ({ severity, total: open.filter((finding) => finding.severity === severity).length }))
    .filter(({ total }) => total > 0)
    .map(({ severity, total }) => `${figures(total)} ${severity}`)
    .join(', ');

function Rule({ rule: { severity, findings } }: { rule: BrokenRule }) {
  const [{ rule_id: id, title, description, fix, reference, confidence }] = findings;
  return (
    <article className="finding" aria-label={`${id} ${title}`}>
      <h3>
        <Badge status={severityStatus[severity]}>{severity}</Badge> {title} <span className="muted">{id}</span>
      </h3>
      <p className="prose">
        <strong>Fix:</strong> <Explanation sentence={fix} />
      </p>
      <ul className="places">
        {findings.map((finding) => (
          <Place key={placeKey(finding)} finding={finding} />
        ))}
      </ul>
      <details className="source">
        <summary>
          Why: {count(findings.length, 'finding')}, {confidence} confidence
        </summary>
        <p className="prose">
          <Explanation sentence={description} />{' '}
          {/^https?:/.test(reference) ? <a href={reference}>Read more</a> : <span className="muted">{reference}</span>}
        </p>
      </details>
    </article>
  );
}

const placeKey = ({ rule_id, file_path, line, job, step, detail }: Finding) =>
  [rule_id, file_path, line, job, step, detail].join(' ');

/** A sentence in which code stands between backticks. */
function Explanation({ sentence }: { sentence: string }) {
  const parts = sentence.split('`').map((text, index) => ({ text, isCode: index % 2 === 1, at: `${index} ${text}` }));
  return parts.map(({ text, isCode, at }) => (isCode ? <code key={at}>{text}</code> : text));
}

/** A file and line, with a link to it on the platform where there is one. */
function Place({ finding }: { finding: Finding }) {
  const { html_url: url, detail, context, job, step, suppression } = finding;
  const where = finding.line === null ? finding.file_path : `${finding.file_path}, line ${finding.line}`;
  const inside = [job ? `job ${job}` : '', step ? `step ${step}` : ''].filter(Boolean).join(', ');
  return (
    <li>
      {url && url !== '#' ? <a href={url}>{where}</a> : where}
      {inside ? <span className="muted"> ({inside})</span> : null}
      {detail ? ` ${detail}` : null}
      {context ? <code>{context}</code> : null}
      {suppression ? <span className="sub muted">{describeSuppression(suppression)}</span> : null}
    </li>
  );
}

function describeSuppression({ state, reason, until }: NonNullable<Finding['suppression']>): string {
  if (state === 'expired') return `Suppressed until ${until}; the suppression has expired.`;
  if (state === 'without reason') return 'The suppression comment has no reason and is ignored.';
  if (state === 'unknown date') return 'The suppression comment has an invalid date and is ignored.';
  return `Suppressed${until ? ` until ${until}` : ''}: ${reason ?? ''}`;
}

function Suppressed({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <details>
      <summary>{count(findings.length, 'suppressed finding')}</summary>
      <ul className="places">
        {findings.map((finding) => (
          <li key={placeKey(finding)}>
            {finding.rule_id} {finding.title}, {finding.found_as} otherwise:
            <ul>
              <Place finding={finding} />
            </ul>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Files of which nothing is known; they may hold anything. */
function NotScanned({ data: { not_scanned: files, status } }: { data: Scan }) {
  if (files.length === 0) return null;
  return (
    <>
      <Notice tone="partial" title={status === 'unreadable' ? 'No file could be scanned.' : 'Not scanned:'}>
        {files.map(({ file_path: path }) => path).join(', ')}.
      </Notice>
      <details className="source">
        <summary>Reason</summary>
        {files.map(({ file_path: path, detail }) => (
          <p key={path}>
            {path}: {detail}.
          </p>
        ))}
      </details>
    </>
  );
}

const lookedFor = 'archived actions, known vulnerabilities, and whether commits and tags match';

/** Whether the rules that ask the platform about actions could say something. */
function LookedUp({ lookup }: { lookup: Scan['online_rules'] }) {
  const { state, actions_checked: checked, actions_unknown: unknown } = lookup;
  if (state === 'off')
    return (
      <details className="source">
        <summary>Online checks are off</summary>
        <p>Not checked on this installation: {lookedFor}.</p>
      </details>
    );
  if (state === 'reading') return <Notice title="Checking now:">{lookedFor}. Reload the page in a few seconds.</Notice>;
  if (state === 'partial')
    return (
      <Notice tone="partial" title="Not everything could be checked:">
        {lookedFor}. {figures(checked)} of {count(checked + unknown, 'action')} checked.
      </Notice>
    );
  return (
    <p className="source">
      {count(checked, 'action')} checked
      {lookup.as_of ? ' ' : null}
      {lookup.as_of ? <Moment at={lookup.as_of} /> : null}.
      {unknown > 0 ? ` ${figures(unknown)} not public or not found.` : null}
    </p>
  );
}

const None = () => (
  <Empty cause="No workflow files on the default branch.">
    <p>
      Files that end in <code>.yml</code> or <code>.yaml</code> in <code>.github/workflows</code> are scanned.
    </p>
  </Empty>
);
