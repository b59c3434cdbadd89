import { Moment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { usePageContext } from '../page-context.ts';

interface SavedByProps {
  source: 'default' | 'saved';
  updated_by: string | null;
  updated_at: string | null;
  db_available: boolean;
}

/** Whose values are in effect, and whether they can be changed here. */
export function SavedBy({ of }: { of: SavedByProps }) {
  const { zone, now, mode } = usePageContext();
  return (
    <>
      <p className="source">
        {of.source === 'saved'
          ? `Saved by ${of.updated_by ?? 'somebody'} `
          : 'Nobody has changed them: these are the defaults.'}
        {of.source === 'saved' && of.updated_at !== null ? <Moment at={of.updated_at} zone={zone} now={now} /> : null}
      </p>
      {mode === 'standalone' ? (
        <Notice title="Fixed.">Where one person uses the service alone, these values cannot be changed.</Notice>
      ) : null}
      {of.db_available ? null : (
        <Notice tone="partial" title="No database.">
          The database is missing or cannot be reached, so what was saved is unknown and the defaults hold.
        </Notice>
      )}
    </>
  );
}
