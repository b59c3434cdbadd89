import { Notice } from '../../../components/notice.tsx';
import { usePageContext } from '../../../components/page-context.ts';
import type { Route } from './+types/pull-request';
import type { Proposal } from './chosen-changes.ts';
import { MissingPermission } from './missing-permission.tsx';
import { OpenForm } from './open-form.tsx';

export type Patch = Extract<Proposal['patch'], { ok: true }>['data'];

/** What the page of a pull request knows besides its changes. */
export type OpeningPage = Pick<Route.ComponentProps, 'loaderData' | 'actionData' | 'params'>;

type OpeningProps = { patch: Patch; mayOpen: boolean | null } & OpeningPage;

/** The form that opens the pull request, or why there is none; with the patch in any case. */
export function Opening({
  patch,
  mayOpen,
  loaderData: { isOff, key },
  actionData,
  params: { owner, repo },
}: OpeningProps) {
  const { base } = usePageContext();
  const query = new URLSearchParams({ owner, repo, ids: patch.ids.join(), format: 'patch' });
  const download = <a href={`${base}/api/advisor/patch?${query}`}>Download patch</a>;
  if (base !== '')
    return (
      <p>
        <button type="button" disabled>
          Open pull request
        </button>{' '}
        Not in the sample. {download}
      </p>
    );
  if (!mayOpen)
    return (
      <>
        <Notice>
          {mayOpen === null
            ? 'Whether you may open pull requests could not be read. Reload the page.'
            : 'Your groups are not allowed to open pull requests.'}
        </Notice>
        <p>{download}</p>
      </>
    );
  if (patch.pull_request.is_off)
    return (
      <>
        <Notice title="Off.">Pull requests are not opened from here: an administrator turned them off.</Notice>
        <p>{download}</p>
      </>
    );
  if (isOff)
    return (
      <>
        <Notice title="Off.">
          People sign in without the scope workflow, which a change of workflow files needs. Whoever operates this
          service can add it to OAUTH_SCOPES.
        </Notice>
        <p>{download}</p>
      </>
    );
  const rejected = actionData?.rejected ?? null;
  return (
    <>
      {rejected?.problem.code === 'missing_permission' ? (
        <MissingPermission
          {...rejected.problem.details}
          here={`/repos/${owner}/${repo}/advisor/pull-request?ids=${patch.ids.join()}`}
        />
      ) : null}
      <OpenForm patch={patch} submitted={rejected} newKey={key} download={download} />
    </>
  );
}
