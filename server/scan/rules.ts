import type { Rule } from './rule.ts';
import { cacheRules } from './rules/caches.ts';
import { commandsRules } from './rules/commands.ts';
import { conditionsRules } from './rules/conditions.ts';
import { credentialRules } from './rules/credentials.ts';
import { downloadRules } from './rules/downloads.ts';
import { hiddenRules } from './rules/hidden.ts';
import { injectionRules } from './rules/injection.ts';
import { interfaceRules } from './rules/interface.ts';
import { limitRules } from './rules/limits.ts';
import { onlineRules } from './rules/online.ts';
import { outsidersRules } from './rules/outsiders.ts';
import { permissionRules } from './rules/permissions.ts';
import { pinRules } from './rules/pins.ts';
import { publishingRules } from './rules/publishing.ts';
import { secretReachRules } from './rules/secret-reach.ts';
import { secretsRules } from './rules/secrets.ts';
import { syntaxRules } from './rules/syntax.ts';

/** Every rule, by number. */
export const rules: readonly Rule[] = [
  ...cacheRules,
  ...commandsRules,
  ...conditionsRules,
  ...credentialRules,
  ...downloadRules,
  ...hiddenRules,
  ...injectionRules,
  ...interfaceRules,
  ...limitRules,
  ...onlineRules,
  ...outsidersRules,
  ...permissionRules,
  ...pinRules,
  ...publishingRules,
  ...secretReachRules,
  ...secretsRules,
  ...syntaxRules,
].sort((one, other) => one.id.localeCompare(other.id));

/** The rule of an id that a finding names. */
export const getRule = (id: string): Rule => {
  const rule = byId.get(id);
  if (!rule) throw new Error(`There is no rule ${id}.`);
  return rule;
};

const byId = new Map<string, Rule>(rules.map((rule) => [rule.id, rule]));
