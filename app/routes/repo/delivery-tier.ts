const labels = { elite: 'Elite', high: 'High', medium: 'Medium', low: 'Low' } as const;

export type Tier = keyof typeof labels | null;

/** A tier in words with where its boundaries come from; nothing when the sample allows none. */
export const tierLabel = (tier: Tier): string | undefined =>
  tier === null ? undefined : `${labels[tier]} – DORA 2023 clusters; retired by DORA in 2025`;
