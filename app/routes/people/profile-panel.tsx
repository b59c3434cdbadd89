import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { Panel, type PanelAnswer } from '../../components/panel.tsx';
import { useChrome } from '../chrome.ts';
import { missingWords, type Profile } from './profile.ts';

interface ProfilePanelProps {
  title: string;
  of: PanelAnswer<Profile>;
  children: (profile: Profile) => ReactNode;
}

const feature = {
  label: 'Contributor profile',
  shows: 'the pull requests, reviews and commits of one person over 90 days',
};

/** The first part of a page about a person, which says what is missing of all that follows. */
export function ProfilePanel({ title, of, children }: ProfilePanelProps) {
  const { now, zone } = useChrome();
  const { pathname, search } = useLocation();
  return (
    <Panel
      {...{ title, of, now, zone, feature }}
      whenPartial={of.ok ? missingWords(of.data) : null}
      retryHref={`${pathname}${search}`}
    >
      {children}
    </Panel>
  );
}
