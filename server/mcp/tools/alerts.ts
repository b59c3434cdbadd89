import { z } from 'zod';
import { getAlerts } from '../../alerts/operations/list.ts';
import { getSentPath } from '../../alerts/rules.ts';
import { paging } from '../input.ts';
import { tool } from '../tool.ts';

const states = ['open', 'resolved', 'all'] as const;

export const alerts = tool({
  name: 'alerts',
  title: 'Alerts',
  question: 'Which alerts are open now?',
  description:
    'Alert rules and the newest events of what the caller sees, the open ones first. `scope` is repo:OWNER/REPO or org:ORG; `state` open, resolved or all.',
  input: z.object({ scope: getAlerts.input.shape.scope, state: z.enum(states).default('all'), ...paging }),
  operations: [getAlerts],
  questions: ({ scope }) => [{ operation: getAlerts, params: { scope } }],
  async run({ scope, state }, reader) {
    const { APP_URL } = reader.context.services.env;
    const part = await reader.read(getAlerts, { scope, events: '1' });
    const { rules, events, open_count: openCount } = part.answer;
    const listed = events.filter(({ is_open }) => is_open).length;
    if (state !== 'resolved' && openCount !== null && listed < openCount)
      reader.notes.push({ code: 'newest_only', text: `${listed} of ${openCount} open events can be listed.` });
    const shown = events.filter(({ is_open }) => state === 'all' || is_open === (state === 'open'));
    return {
      subject: {},
      parts: [part],
      measurements: [],
      items: [
        ...[...shown]
          .sort((one, other) => Number(other.is_open) - Number(one.is_open))
          .map((event) => ({
            key: `event ${event.id}`,
            value: {
              kind: 'event',
              event_id: event.id,
              rule_id: event.rule_id,
              scope: event.scope,
              repo: event.repo,
              metric: event.metric,
              label: event.label,
              value: event.value,
              unit: event.unit,
              threshold: event.threshold,
              n: event.sample_size,
              window_hours: event.effective_window_hours,
              fired_at: event.fired_at,
              resolved_at: event.resolved_at,
              is_open: event.is_open,
              computed_at: event.computed_at,
              evidence: new URL(getSentPath(event.metric, event.repo, event.explained_at), APP_URL).href,
            },
          })),
        ...rules.map((rule) => ({
          key: `rule ${rule.id}`,
          value: {
            kind: 'rule',
            rule_id: rule.id,
            scope: rule.scope,
            metric: rule.metric,
            label: rule.label,
            unit: rule.unit,
            threshold: rule.threshold,
            window_hours: rule.effective_window_hours,
            min_sample: rule.min_sample,
            enabled: rule.enabled,
            health: rule.health,
            last_value: rule.last_value,
            last_sample: rule.last_sample,
            last_evaluated_at: rule.last_evaluated_at,
            incomplete: rule.incomplete,
          },
        })),
      ],
      page: '/alerts',
    };
  },
});
