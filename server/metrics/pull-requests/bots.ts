import type { PullRequest } from '../kernel/delivery-facts.ts';
import type { People } from '../people/people.ts';

/** Whether pull requests of bots count where both are meant: in counts, and in shares of all pull requests. */
export const botChoices = ['in', 'out'] as const;

export type Bots = (typeof botChoices)[number];

/** Who is a bot, and whether those count; they do where nothing is said. */
interface Choice {
  people: People;
  bots?: Bots | undefined;
}

/** One whose author could not be read, or was deleted, is not known to be a bot's. */
export const isAmong = ({ author }: Pick<PullRequest, 'author'>, { people, bots }: Choice): boolean =>
  bots !== 'out' || !people.isBot(author);

/** The reason why one does not count. */
export const byBot = 'by a bot';

/** The sentence that a definition ends with where bots are out. */
export const noneOfBots = ({ bots }: Pick<Choice, 'bots'>): string =>
  bots === 'out' ? ' Pull requests of bots are excluded.' : '';
