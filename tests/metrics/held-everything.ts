import type { People } from '../../server/metrics/people/people.ts';
import type { DeliveryWorld } from './delivery-worlds.ts';
import { heldAlerts } from './held-alerts.ts';
import { heldChanges } from './held-changes.ts';
import { heldCost } from './held-cost.ts';
import { heldDelivery, heldDeployments } from './held-delivery.ts';
import { heldHabits } from './held-habits.ts';
import type { HeldMetrics } from './held-metrics.ts';
import { heldOrganizationSecurity } from './held-organization-security.ts';
import { heldPaths } from './held-paths.ts';
import { heldRuns, heldWork } from './held-work.ts';
import type { World } from './worlds.ts';

/** Every metric over the facts of a delivery world. */
export const inDelivery = (world: DeliveryWorld, people: People): HeldMetrics => ({
  ...heldDelivery(world, people),
  ...heldDeployments(world),
  ...heldWork(world, people),
  ...heldAlerts(world),
  ...heldOrganizationSecurity(world),
  ...heldHabits(world, people),
});

/** Every metric over the runs of a world. */
export const inRuns = (world: World): HeldMetrics => ({
  ...heldRuns(world),
  ...heldCost(world),
  ...heldChanges(world),
  ...heldPaths(world),
});
