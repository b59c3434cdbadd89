import type { ReactNode } from 'react';
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
  return (
    <Panel title={title} result={result} feature={feature} whenPartial={result.ok ? missingNote(result.data) : null}>
      {children}
    </Panel>
  );
}
