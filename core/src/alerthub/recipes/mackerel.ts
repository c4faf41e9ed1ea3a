import { equals, isOneOf, nameFrom, type Recipe } from './recipe.ts';

/** https://mackerel.io/docs/entry/howto/alerts/webhook */
export const mackerel: Recipe = {
  name: 'mackerel',
  product: 'Mackerel',
  slot: { kind: 'webhook' },
  forEach: null,
  severityName: 'name',
  fingerprint: 'message.content.data.alert.id',
  steps: [equals('message.content.data.event', 'alert'), nameFrom('message.content.data.alert.monitorName')],
  rules: {
    incident: [
      equals('message.content.data.alert.isOpen', 'true'),
      equals('message.content.data.alert.status', 'critical'),
    ],
    warning: [
      equals('message.content.data.alert.isOpen', 'true'),
      isOneOf('message.content.data.alert.status', 'warning', 'unknown'),
    ],
    normal: [equals('message.content.data.alert.isOpen', 'false')],
  },
  recoveryTime: null,
  snippet: `curl -X POST https://api.mackerelio.com/api/v0/channels \\
  -H "X-Api-Key: $MACKEREL_APIKEY" -H "Content-Type: application/json" \\
  -d '{"type": "webhook", "name": "Yagura", "url": "{{url}}", "events": ["alert"]}'
`,
};
