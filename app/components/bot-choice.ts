import type { Filter } from './filter-bar.tsx';

/** Whether pull requests of bots are left out; they count unless the address says so. */
export type BotChoice = 'out' | undefined;

export const requestedBots = (search: string): BotChoice =>
  new URLSearchParams(search).get('bots') === 'out' ? 'out' : undefined;

export const getBotFilter = (search: string): Filter => ({
  kind: 'links',
  name: 'bots',
  label: 'Bots',
  value: requestedBots(search) ?? '',
  options: [
    { value: '', label: 'In' },
    { value: 'out', label: 'Out' },
  ],
});

/** How a sample says whose pull requests it is of. */
export const describeBots = (bots: BotChoice): string => (bots === 'out' ? 'excluding bots' : 'including bots');

/** What the bar says beside the choice: definitions that it does not change. */
export const timesOfPeople = 'Times exclude bots';
