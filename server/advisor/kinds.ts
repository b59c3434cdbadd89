import type { Kind } from './kind.ts';
import { artifactRetention } from './kinds/artifact-retention.ts';
import { cachedDependencies } from './kinds/cached-dependencies.ts';
import { checkoutCredentials } from './kinds/checkout-credentials.ts';
import { documentationChanges } from './kinds/documentation-changes.ts';
import { duplicateRuns } from './kinds/duplicate-runs.ts';
import { earlierStarts } from './kinds/earlier-starts.ts';
import { matrixFailures } from './kinds/matrix-failures.ts';
import { permissions } from './kinds/permissions.ts';
import { pins } from './kinds/pins.ts';
import { runnerSizes } from './kinds/runner-sizes.ts';
import { schedules } from './kinds/schedules.ts';
import { shallowCheckout } from './kinds/shallow-checkout.ts';
import { spareMatrixCells } from './kinds/spare-cells.ts';
import { supersededRuns } from './kinds/superseded-runs.ts';
import { timeLimits } from './kinds/time-limits.ts';

/** Every kind of recommendation, by number. */
export const kinds: readonly Kind[] = [
  supersededRuns,
  duplicateRuns,
  schedules,
  documentationChanges,
  timeLimits,
  matrixFailures,
  spareMatrixCells,
  earlierStarts,
  runnerSizes,
  cachedDependencies,
  shallowCheckout,
  artifactRetention,
  permissions,
  pins,
  checkoutCredentials,
];

/** The title of a kind by its id; the id itself of one that there is no longer. */
export const titleOf = (id: string): string => kinds.find((one) => one.id === id)?.title ?? id;
