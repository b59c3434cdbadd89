import { count, figures } from '../../server/domain/quantity.ts';
import { Badge } from '../components/badge.tsx';

interface Props {
  included: number;
  /** null where it is not known how many there are. */
  visible: number | null;
  partial: boolean;
}

/** Of how many repositories figures are, as the summary of what that means. */
export const SyncedSummary = ({ included, visible, partial }: Props) => (
  <summary>
    {partial ? (
      <>
        <Badge status="warning">Partial data</Badge>:{' '}
      </>
    ) : null}
    {visible === null
      ? `${count(included, 'repository', 'repositories')} synced`
      : `${figures(included)} of ${count(visible, 'repository', 'repositories')} synced`}
  </summary>
);
