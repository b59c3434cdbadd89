import type { PanelsOf } from '../../../server/http/adapters.ts';
import type { draftExposure } from '../../../server/reports/exposure/operations.ts';
import { Link } from '../../charts/link.tsx';
import { TextAreaField } from '../../components/field.tsx';
import { Form, getFieldError, rejectedBy, type Submitted, submittedValue } from '../../components/form.tsx';
import { Moment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';

type Answers = PanelsOf<{ draft: typeof draftExposure }>;
export type Draft = Extract<Answers['draft'], { ok: true }>['data'];

interface ExposureDraftProps {
  /** The address of the search. */
  href: string;
  draft: Draft | null;
  submitted: Submitted | null;
}

/** An advisory is pasted here, and becomes a search to look over. */
export function ExposureDraft({ href, draft, submitted }: ExposureDraftProps) {
  const { csrf, base } = usePageContext();
  // The sample takes no text.
  if (base !== '') return null;
  const rejected = rejectedBy(submitted, 'draft') ?? null;
  return (
    <>
      <details className="source" open={draft !== null || rejected !== null}>
        <summary>Paste an advisory</summary>
        <Form csrf={csrf} intent="draft" submit="Read advisory" submitted={rejected} label="Paste an advisory">
          <TextAreaField
            name="text"
            label="An id such as GHSA-…, the JSON of an advisory, or its text"
            rows={5}
            required
            value={submittedValue(rejected, 'text')}
            error={getFieldError(rejected, 'text')}
          />
        </Form>
      </details>
      {draft ? <Understood draft={draft} href={href} /> : null}
    </>
  );
}

function Understood({ draft, href }: { draft: Draft; href: string }) {
  const { question, ignored, suspects, warnings, advisory } = draft;
  const hasCommits = warnings.includes('commits_may_be_incomplete');
  const mayMiss = hasCommits || warnings.includes('tags_may_have_moved');
  return (
    <Panel title={suspects.length === 0 ? 'Nothing found' : 'Understood'} id="draft" result={{ ok: true, data: draft }}>
      {() => (
        <>
          {advisory ? (
            <p>
              {advisory.id}: {advisory.summary}
            </p>
          ) : null}
          {suspects.length === 0 ? (
            <p>No action, workflow or image was found in it: type the name of one above.</p>
          ) : (
            <ul>
              {suspects.map(({ name, match }) => (
                <li key={name}>
                  <code>{name}</code> at {match.map(({ type, value }) => value ?? anyWords[type] ?? type).join(', ')}
                </li>
              ))}
            </ul>
          )}
          {suspects[0] && !advisory ? <Time {...suspects[0].window} /> : null}
          {question ? (
            <p>
              <Link href={`${href}?${toQuery(question)}`}>Search for it</Link>
              {mayMiss ? (
                <>
                  , or <Link href={`${href}?${toQuery(toEveryRef(question))}`}>at every tag and branch</Link>
                  {hasCommits ? ' (recommended)' : ' (recommended when tags were moved)'}
                </>
              ) : null}
              .
            </p>
          ) : null}
          {hasCommits ? (
            <Notice tone="partial">
              Commits in a text may not be all of them, and one may be the fix: check them before you rely on the
              search.
            </Notice>
          ) : null}
          {advisory?.withdrawn_at ? (
            <Notice title="Withdrawn">
              on <Moment at={advisory.withdrawn_at} as="date" />. Later runs are searched all the same.
            </Notice>
          ) : null}
          {warnings.includes('begins_before_publication') ? (
            <p className="muted">
              An advisory does not tell when the compromise began: the search goes back as far as is stored.
            </p>
          ) : null}
          {ignored.length > 0 ? (
            <>
              <p>Not used:</p>
              <ul>
                {ignored.map(({ text, reason }) => (
                  <li key={`${text} ${reason}`}>
                    <code>{text}</code>: {ignoredWords[reason]}
                  </li>
                ))}
              </ul>
            </>
          ) : null}
        </>
      )}
    </Panel>
  );
}

/** The time that a text names. */
function Time({ from, to }: Draft['suspects'][number]['window']) {
  if (from === null && to === null) return null;
  return (
    <p>
      Times in it:{' '}
      {from === null ? null : (
        <>
          from <Moment at={from} as="date-time" />
        </>
      )}
      {to === null ? null : (
        <>
          {' '}
          until <Moment at={to} as="date-time" />
        </>
      )}
      . The search goes beyond them, since they may be those of the detection.
    </p>
  );
}

const anyWords: Partial<Record<Draft['suspects'][number]['match'][number]['type'], string>> = {
  any: 'every tag and branch',
};

const ignoredWords: Record<Draft['ignored'][number]['reason'], string> = {
  no_action: 'no action',
  no_name: 'no name of an action stands near it',
  possible_fix: 'may be the fix',
  unreadable_range: 'versions that cannot be compared',
  image: 'images are searched by themselves',
  short_sha: 'a short SHA: write all 40 digits, or refs/tags/… for a tag',
};

/** Without the commits, tags and versions that were given. */
const toEveryRef = (question: NonNullable<Draft['question']>): typeof question => ({
  ...question,
  name: [...new Set(question.name.split(',').map((one) => one.replace(/@.*$/, '')))].join(','),
  range: null,
});

const toQuery = (question: NonNullable<Draft['question']>): string =>
  new URLSearchParams(
    Object.entries(question).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  ).toString();
