import { equals, nameFrom, type Recipe } from './recipe.ts';

/** Webhook notification of type application/json; a test has neither monitor nor heartbeat. */
export const uptimeKuma: Recipe = {
  name: 'uptime-kuma',
  product: 'Uptime Kuma',
  slot: { kind: 'webhook' },
  forEach: null,
  severityName: 'name',
  fingerprint: 'message.content.data.monitor.id',
  steps: [nameFrom('message.content.data.monitor.name')],
  rules: {
    incident: [equals('message.content.data.heartbeat.status', '0')],
    normal: [equals('message.content.data.heartbeat.status', '1')],
  },
  recoveryTime: null,
  snippet: `Post URL: {{url}}
Request Body: Preset - application/json
`,
};
