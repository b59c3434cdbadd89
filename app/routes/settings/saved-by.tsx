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
  const { mode } = usePageContext();
  return (
    <>
      <p className="source">
        {settings.source === 'saved' ? `Saved by ${settings.updated_by ?? 'unknown user'} ` : 'Defaults.'}
        {settings.source === 'saved' && settings.updated_at !== null ? <Moment at={settings.updated_at} /> : null}
      </p>
      {mode === 'standalone' ? (
        <Notice title="Fixed.">These values cannot be changed in standalone mode.</Notice>
      ) : null}
      {settings.db_available ? null : (
        <Notice tone="partial" title="No database.">
          The database is missing or cannot be reached, so defaults are used.
        </Notice>
      )}
    </>
  );
}
