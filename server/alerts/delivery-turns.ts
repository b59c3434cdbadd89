import type { DeliveryResult } from './channels/channel.ts';

type Failed = Extract<DeliveryResult, { ok: false }>;

interface Turn {
  /** Others were served before. */
  hasWaited: boolean;
  /** What the one met that could not reach the destination; null where none failed so. */
  unreachable: Failed | null;
}

/** Lets attempts at one destination follow each other, while those at others go on. */
export type Turns = ReturnType<typeof createTurns>;

export function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  const unreachable = new Map<string, Failed>();
  return {
    /**
     * Makes an attempt when those before it at this destination are over. Answers whether the message was handed over;
     * an attempt that answers null was not made.
     */
    async take(destination: string, attempt: (turn: Turn) => Promise<DeliveryResult | null>): Promise<boolean> {
      const before = last.get(destination);
      const turn = Promise.resolve(before).then(async () => {
        const handed = await attempt({
          hasWaited: before !== undefined,
          unreachable: unreachable.get(destination) ?? null,
        });
        if (handed && !handed.ok && handed.cause === 'unreachable') unreachable.set(destination, handed);
        return handed?.ok === true;
      });
      last.set(
        destination,
        turn.catch(() => undefined),
      );
      return turn;
    },
  };
}
