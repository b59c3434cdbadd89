import type { PagePath } from '../../../server/http/page-access.ts';
import type { PageLink } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';

const pages = [
  ['Account', 'settings'],
  ['Sessions', 'settings/session'],
  ['Tokens', 'settings/tokens'],
  ['Sharing', 'settings/shares'],
  ['Workday', 'settings/team'],
  ['Habits', 'settings/working-habits'],
  ['AI', 'settings/ai'],
  ['Email', 'settings/email'],
  ['Traces', 'settings/telemetry'],
  ['Webhooks', 'settings/webhooks'],
  ['Jobs', 'settings/jobs'],
] as const satisfies readonly [string, PagePath][];

/** The pages of settings that the caller may open, the one looked at marked. */
export function useSettingsTabs(current: (typeof pages)[number][0]): PageLink[] {
  const { pages: offered } = usePageContext();
  return pages
    .filter(([label, page]) => label === current || offered.includes(page))
    .map(([label, page]) => ({ label, href: `/${page}`, current: label === current }));
}
