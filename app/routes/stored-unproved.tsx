import { usePageContext } from '../components/page-context.ts';
import type { PanelAnswer } from '../components/panel.tsx';

/** Problems that keep the service from asking what the reader may see. */
const unproved = ['upstream_rate_limited', 'authz_unavailable'];

/** Below a failure: what is stored is not lost, and what has to happen before it is shown. */
export function StoredUnproved({ result }: { result: PanelAnswer<unknown> }) {
  const { hostName } = usePageContext();
  if (result.ok || !unproved.includes(result.problem.code)) return null;
  return <p className="source">Stored runs are shown once {hostName} confirms which repositories you can see.</p>;
}
