import type { z } from 'zod';
import type { SyncProgress } from '../../../server/reports/sync/progress-schema.ts';
import { dateText, timeText } from '../../charts/zone-time.ts';
import { reportsHref } from '../../components/data-coverage-link.tsx';

export type Progress = z.output<typeof SyncProgress>;

/** Whether anything is read, or will be, without another click. */
export const isGoingOn = ({ running, repositories }: Progress): boolean =>
  running > 0 || repositories.some(({ resume_at }) => resume_at !== null);

export type Background = 'none' | 'going' | 'over';

/** Whether the service reads on by itself, or has read everything. */
export function getBackground(progress: Progress): Background {
  if (isGoingOn(progress)) return 'going';
  return progress.done > 0 && progress.waiting + progress.failed === 0 ? 'over' : 'none';
}

interface Props {
  progress: Progress;
  zone: string;
  /** This page, to read it anew; null where a link to it stands beside. */
  here: string | null;
}

/** How far the history has been read, while something of it is left; nothing otherwise. */
export function SyncProgressLine({ progress, zone, here }: Props) {
  const unfinished = progress.running + progress.waiting + progress.failed;
  const [first] = progress.repositories;
  if (unfinished === 0 || !first) return null;
  const verb = isGoingOn(progress) ? 'Syncing history' : 'History synced';
  return (
    <p className="source">
      {unfinished === 1 ? verb : `${verb} of ${unfinished} repositories; ${first.repo}`}
      {reached(first, zone)}. {why(first, zone)}
      {here !== null && isGoingOn(progress) ? <a href={here}>Refresh</a> : null}
    </p>
  );
}

type Row = Progress['repositories'][number];

function reached({ read_pct, from }: Row, zone: string): string {
  if (read_pct === null) return '';
  return `: ${read_pct} %${from === null ? '' : `, back to ${dateText(from, zone)}`}`;
}

function why({ reason, resume_at }: Row, zone: string): string {
  if (reason === null) return '';
  return resume_at === null ? reason : `${reason} Resumes at ${timeText(resume_at, zone)}. `;
}

/** The page that follows a synchronization, by the fields of the form that started it. */
export function syncedHref(form: FormData, page: '/' | '/reports'): string {
  const org = form.get('org');
  if (page === '/') return org ? `/?${new URLSearchParams({ org: String(org) })}` : '/';
  const owner = org ?? form.get('owner');
  if (!owner) return '/reports#sync';
  const repo = form.get('repo');
  return `${reportsHref({ owner: String(owner), repo: repo === null ? null : String(repo) })}#sync`;
}
