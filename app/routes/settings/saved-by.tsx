import { Moment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';

interface SavedByProps {
  source: 'default' | 'saved';
  updated_by: string | null;
  updated_at: string | null;
  db_available: boolean;
}

/** Whose values are in effect, and whether they can be changed here. */
export function SavedBy({ settings }: { settings: SavedByProps }) {
  const { zone, now, mode } = usePageContext();
  return (
    <>
      <p className="source">
        {settings.source === 'saved'
          ? `Saved by ${settings.updated_by ?? 'somebody'} `
          : 'Nobody has changed them: these are the defaults.'}
        {settings.source === 'saved' && settings.updated_at !== null ? (
          <Moment at={settings.updated_at} zone={zone} now={now} />
        ) : null}
      </p>
      {mode === 'standalone' ? (
        <Notice title="Fixed.">Where one person uses the service alone, these values cannot be changed.</Notice>
      ) : null}
      {settings.db_available ? null : (
        <Notice tone="partial" title="No database.">
          The database is missing or cannot be reached, so what was saved is unknown and the defaults hold.
        </Notice>
      )}
    </>
  );
}
