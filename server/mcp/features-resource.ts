import type { Context } from '../access/context.ts';
import { featureKeys, features } from '../access/features.ts';

/** What each feature opens, and whether this access token has it. */
export async function describeFeatures(context: Context) {
  const actor = await context.actor();
  return {
    features: featureKeys.map((key) => ({
      key,
      label: features[key].label,
      description: features[key].description,
      granted: actor.features.includes(key),
    })),
  };
}
