import { runActionLedger } from '../server/sync/action-ledger/run.ts';
import { job } from './job.ts';

/** Writes down where refs of actions lead: nobody else remembers where a moved tag pointed before. */
export const actionLedger = job({
  name: 'action-ledger',
  title: 'Actions in use',
  does: 'Records which actions every synced repository uses, and which commit each of their tags and branches points to.',
  schedule: '17 5 * * *',
  seconds: 240,
  hardSeconds: 290,
  housekeeping: false,
  needsToken: true,
  async run(context) {
    const { uses, targets, inTurn, moves, complete, resumeAt } = await runActionLedger(context);
    const summary = {
      repositories: uses?.repositories ?? 0,
      changed: uses?.changed ?? 0,
      failed: uses?.failed ?? 0,
      refs: targets?.refs ?? 0,
      unreadable: targets?.unreadable ?? 0,
      files_read: inTurn?.filesRead ?? 0,
      compared: moves?.compared ?? 0,
      not_compared: moves?.notCompared ?? 0,
    };
    return { partial: !complete, resumeAt, summary, report: null };
  },
});
