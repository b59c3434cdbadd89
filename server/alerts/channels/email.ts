import { alertLetter } from '../../mail/letters/alert.ts';
import type { Channel } from './channel.ts';
import { toldOf } from './told.ts';

/** One letter for one event, through whatever mail goes out. */
export const sendEmail: Channel = async (event, services) => {
  const letter = alertLetter(await toldOf(event, services), services.env.APP_URL);
  return services.mailer.send({ ...letter, to: event.destination ?? '', idempotencyKey: `event:${event.id}` });
};
