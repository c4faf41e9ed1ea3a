import { equals, nameFrom, type Recipe } from './recipe.ts';

/** https://docs.datadoghq.com/integrations/webhooks/ */
export const datadog: Recipe = {
  name: 'datadog',
  product: 'Datadog',
  slot: { kind: 'webhook' },
  forEach: null,
  severityName: 'name',
  fingerprint: 'message.content.data.cycle',
  steps: [nameFrom('message.content.data.title')],
  rules: {
    incident: [equals('message.content.data.type', 'error')],
    warning: [equals('message.content.data.type', 'warning')],
    normal: [equals('message.content.data.type', 'success')],
  },
  recoveryTime: null,
  snippet: `curl -X POST "https://api.\${DD_SITE:-datadoghq.com}/api/v1/integration/webhooks/configuration/webhooks" \\
  -H "DD-API-KEY: $DD_API_KEY" -H "DD-APPLICATION-KEY: $DD_APP_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "name": "yagura",
    "url": "{{url}}",
    "payload": "{\\"cycle\\": \\"$ALERT_CYCLE_KEY\\", \\"title\\": \\"$ALERT_TITLE\\", \\"type\\": \\"$ALERT_TYPE\\", \\"transition\\": \\"$ALERT_TRANSITION\\", \\"host\\": \\"$HOSTNAME\\", \\"link\\": \\"$LINK\\"}"
  }'
`,
};
