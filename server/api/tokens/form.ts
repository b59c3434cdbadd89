import type { Context } from '../../access/context.ts';
import { type FeatureKey, features } from '../../access/features.ts';
import { tokenFeatures } from './fields.ts';

const usualEnds = [7, 30, 90, 180, 366];
const longestOffered = 366;

/** What the form of a new token offers its owner. */
export interface TokenChoices {
  /** Numbers of days; the longest that is allowed is one of them. */
  days: number[];
  features: { key: FeatureKey; label: string; description: string; isSensitive: boolean }[];
}

/** What features are called, by their keys. */
export const featureLabels: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(features).map(([key, { label }]) => [key, label]),
);

export async function tokenFormChoices(context: Context): Promise<TokenChoices> {
  const { features: usable } = await context.actor();
  const maxDays = context.services.env.ACCESS_TOKEN_MAX_DAYS;
  const shorter = usualEnds.filter((days) => days < maxDays);
  return {
    days: [...new Set([...shorter, Math.min(maxDays, longestOffered)])],
    features: tokenFeatures
      .filter((key) => usable.includes(key))
      .map((key) => {
        const { label, description, sensitive } = features[key];
        return { key, label, description, isSensitive: sensitive };
      }),
  };
}
