/**
 * How much more common a hidden cause would have to be on one side, and raise the outcome as much, to explain a ratio of
 * risks away (VanderWeele, Ding, Annals of Internal Medicine 167 (2017) 268–274). null where one of the risks is 0.
 */
export function eValue(risk: number, otherRisk: number): number | null {
  if (risk <= 0 || otherRisk <= 0) return null;
  const ratio = Math.max(risk / otherRisk, otherRisk / risk);
  return ratio + Math.sqrt(ratio * (ratio - 1));
}
