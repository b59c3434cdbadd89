import { withoutLimits } from './work-limits.ts';

/** Work that goes on when the request that began it has been answered. */
export interface BackgroundWork {
  /** Begins work, which must not reject. */
  begin(work: () => Promise<void>): void;
  /** Resolves when all that was begun has ended. */
  ended(): Promise<void>;
}

export function createBackgroundWork(): BackgroundWork {
  const running = new Set<Promise<void>>();
  return {
    begin(work) {
      const begun = withoutLimits(work);
      running.add(begun);
      void begun.finally(() => running.delete(begun));
    },
    async ended() {
      await Promise.all(running);
    },
  };
}
