import type { explainAccess } from '../../../server/api/admin/access.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import type { PagePath } from '../../../server/http/page-access.ts';
import { Facts } from '../../components/facts.tsx';
import { Notice } from '../../components/notice.tsx';
import { pageNames } from '../page-names.ts';

type Answer = PanelsOf<{ result: ReturnType<typeof explainAccess> }>['result'];

interface AccessExplanationProps {
  result: Answer;
  pages: readonly PagePath[];
  /** What features are called. */
  labels: Record<string, string>;
}

/** What one person would see, in words. */
export function AccessExplanation({ result, pages, labels }: AccessExplanationProps) {
  if (!result.ok) return <Notice tone="problem">{result.problem.error}</Notice>;
  const { login, groups, features, enforcement } = result.data;
  const [open, closed] = [true, false].map((isOpen) =>
    (Object.entries(pageNames) as [PagePath, string][])
      .filter(([path]) => pages.includes(path) === isOpen)
      .map(([, name]) => name)
      .join(', '),
  );
  return (
    <>
      <Facts
        facts={[
          { label: 'Person', value: login },
          { label: 'Groups', value: groups.join(', ') || 'none: no access' },
          { label: 'Features', value: features.map((key) => labels[key] ?? key).join(', ') || 'none' },
        ]}
      />
      <Facts
        facts={[
          { label: 'Available pages', value: open || 'none' },
          { label: 'Unavailable pages', value: closed || 'none' },
        ]}
      />
      {enforcement ? null : (
        <p className="source">Features are not enforced at the moment, so more pages are available than granted.</p>
      )}
      <p className="source">Repository access also depends on their own account.</p>
    </>
  );
}
