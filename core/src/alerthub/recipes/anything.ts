import { equals, nameFrom, type Recipe } from './recipe.ts';

/** For scripts and programs that can send JSON: `{"name": "backup", "status": "incident"}`. */
export const anything: Recipe = {
  name: 'anything',
  product: null,
  slot: { kind: 'webhook' },
  forEach: null,
  severityName: 'name',
  fingerprint: null,
  steps: [nameFrom('message.content.data.name')],
  rules: {
    incident: [equals('message.content.data.status', 'incident')],
    warning: [equals('message.content.data.status', 'warning')],
    normal: [equals('message.content.data.status', 'normal')],
  },
  recoveryTime: null,
  snippet: `# status: incident, warning, normal
curl '{{url}}' -H "Content-Type: application/json" \\
  -d '{"name": "backup", "status": "incident", "text": "The backup failed"}'
`,
};
