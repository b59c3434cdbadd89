/** How a merge queue is set up; parts are null where the platform does not say. */
export interface QueueConfiguration {
  checksTimeoutMinutes: number | null;
  maxBuilds: number | null;
  maxMerge: number | null;
  minMerge: number | null;
  minWaitMinutes: number | null;
  /** In lower case. */
  strategy: string | null;
  method: string | null;
}

/** Whether two are the same in every part. */
export const isSameConfiguration = (one: QueueConfiguration, other: QueueConfiguration): boolean =>
  one.checksTimeoutMinutes === other.checksTimeoutMinutes &&
  one.maxBuilds === other.maxBuilds &&
  one.maxMerge === other.maxMerge &&
  one.minMerge === other.minMerge &&
  one.minWaitMinutes === other.minWaitMinutes &&
  one.strategy === other.strategy &&
  one.method === other.method;
