import { data } from 'react-router';
import { requestContext } from '../../../server/http/router-context.ts';
import { openShared } from '../../../server/http/shared-page.ts';
import { SecretField } from '../../components/field.tsx';
import { Moment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { SnapshotTime } from '../../components/page-context.ts';
import { Shell } from '../../components/shell.tsx';
import type { Route } from './+types/page';
import { SharedParts } from './shared-parts.tsx';

export const handle = { isPlain: true };

export const loader = ({ context, params }: Route.LoaderArgs) =>
  openShared(context.get(requestContext), params.token, null);

/** The pass phrase opens this one answer: nothing is remembered of it. */
export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const phrase = String((await request.formData()).get('pass_phrase') ?? '');
  const opened = await openShared(context.get(requestContext), params.token, phrase);
  return data(opened, { status: opened.isWrong ? 403 : 200 });
};

/** What somebody shared of a page, as it was then: without navigation, forms and scripts. */
export default function SharedPage({ loaderData, actionData }: Route.ComponentProps) {
  const { snapshot, page, expiresAt, isWrong, installation } = actionData ?? loaderData;
  if (!snapshot)
    return (
      <Shell>
        <title>Shared page · Delivery Analytics</title>
        <h1>Shared page</h1>
        {isWrong ? <Notice tone="problem">This is not its pass phrase.</Notice> : null}
        <form method="post" className="form" data-kept="">
          <SecretField name="pass_phrase" label="Pass phrase" required />
          <p className="form-end">
            <button type="submit" className="primary">
              Show
            </button>
          </p>
        </form>
      </Shell>
    );
  const { answers, takenAt, zone } = snapshot;
  return (
    <Shell>
      <Notice title="Shared.">
        From {installation}, as of <Moment at={takenAt} as="date-time" />, ends <Moment at={expiresAt} as="date-time" />
        . It is not updated.
      </Notice>
      <SnapshotTime value={{ now: takenAt, zone }}>
        <SharedParts page={page} answers={answers} />
      </SnapshotTime>
    </Shell>
  );
}
