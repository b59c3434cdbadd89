import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, type PanelAnswer } from '../../components/panel.tsx';
import { missingNote, type Profile } from './profile.ts';

interface ProfilePanelProps {
  title: string;
  result: PanelAnswer<Profile>;
  children: (profile: Profile) => ReactNode;
}

const feature = {
  label: 'Contributor profile',
  shows: 'pull requests, reviews and commits of a contributor over 90 days',
};

/** The first part of a page about a person, which says what is missing of all that follows. */
export function ProfilePanel({ title, result, children }: ProfilePanelProps) {
  const { now, zone } = usePageContext();
  const { pathname, search } = useLocation();
  return (
    <Panel
      title={title}
      result={result}
      now={now}
      zone={zone}
      feature={feature}
      whenPartial={result.ok ? missingNote(result.data) : null}
      retryHref={`${pathname}${search}`}
    >
      {children}
    </Panel>
  );
}
