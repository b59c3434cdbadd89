import { Moment } from '../../components/moment.tsx';

/** Who saved these settings, and when; nothing where nobody did. */
export const LastSaved = ({ by, at }: { by: string | null; at: string | null }) =>
  at === null ? null : (
    <p className="source">
      Saved by {by ?? 'unknown user'} <Moment at={at} />
    </p>
  );
