import { usePageContext } from '../../../components/page-context.ts';

/** Boxes of recommendations stand elsewhere on the page and belong to this form. */
export const previewForm = 'preview';

/** Leads to the preview of a pull request with the changes whose boxes are ticked. */
export function PreviewForm({ params, submit }: { params: { owner: string; repo: string }; submit: string }) {
  const { base } = usePageContext();
  const action = `${base}/repos/${params.owner}/${params.repo}/advisor/pull-request`;
  return (
    <form method="get" id={previewForm} action={action} className="form">
      <p className="form-end">
        <button type="submit">{submit}</button>
      </p>
    </form>
  );
}
