import { equals, isOneOf, type Recipe } from './recipe.ts';

/** https://developer.pagerduty.com/docs/send-alert-event */
export const pagerdutyEvents: Recipe = {
  name: 'pagerduty-events',
  product: 'PagerDuty Events API v2',
  slot: { kind: 'webhook' },
  forEach: null,
  // An event that resolves an alert contains nothing but its key.
  severityName: null,
  fingerprint: 'message.content.data.dedup_key',
  steps: [],
  rules: {
    incident: [
      equals('message.content.data.event_action', 'trigger'),
      isOneOf('message.content.data.payload.severity', 'critical', 'error'),
    ],
    warning: [
      equals('message.content.data.event_action', 'trigger'),
      isOneOf('message.content.data.payload.severity', 'warning', 'info'),
    ],
    normal: [equals('message.content.data.event_action', 'resolve')],
  },
  recoveryTime: null,
  snippet: `curl '{{url}}' -H "Content-Type: application/json" \\
  -d '{
    "routing_key": "yagura",
    "event_action": "trigger",
    "dedup_key": "web1/disk",
    "payload": {"summary": "Disk full", "source": "web1", "severity": "critical"}
  }'
`,
};
