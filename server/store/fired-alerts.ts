import type { Window } from '../metrics/kernel/window.ts';
import type { AlertEvent } from './alert-events.ts';
import type { Database } from './database.ts';
import { selectEvents } from './listed-events.ts';

export interface WantedAlerts {
  repoIds: readonly number[];
  window: Window;
  /** Whether those of rules of a whole organization are left out. */
  ofRepositoriesOnly: boolean;
}

export const firedAlerts = (database: Database) => ({
  /** What fired about repositories within a time, newest first, tests aside. */
  list: ({ repoIds, window, ofRepositoriesOnly }: WantedAlerts, limit: number): Promise<AlertEvent[]> =>
    selectEvents(database)
      .where((eb) => eb('alert_events.repoId', '=', eb.fn.any(eb.val([...repoIds]))))
      .where('alert_events.firedAt', '>=', window.from)
      .where('alert_events.firedAt', '<=', window.to)
      .where('alert_events.isTest', '=', false)
      .$if(ofRepositoriesOnly, (query) => query.where('alert_events.scope', 'like', 'repo:%'))
      .orderBy('alert_events.firedAt', 'desc')
      .orderBy('alert_events.id', 'desc')
      .limit(limit)
      .execute(),
});
