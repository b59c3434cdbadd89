const words = { elite: 'Elite', high: 'High', medium: 'Medium', low: 'Low' } as const;

export type Tier = keyof typeof words | null;

/** A tier in words with where its boundaries come from; nothing when the sample allows none. */
export const tierWords = (tier: Tier): string | undefined =>
  tier === null ? undefined : `${words[tier]} – DORA 2023 clusters; retired by DORA in 2025`;
