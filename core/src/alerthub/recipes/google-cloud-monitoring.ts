import { equals, isNoneOf, nameFrom, type Recipe } from './recipe.ts';

/** https://cloud.google.com/monitoring/support/notification-options#webhooks */
export const googleCloudMonitoring: Recipe = {
  name: 'google-cloud-monitoring',
  product: 'Google Cloud Monitoring',
  slot: { kind: 'webhook' },
  forEach: null,
  severityName: 'name',
  fingerprint: 'message.content.data.incident.incident_id',
  steps: [nameFrom('message.content.data.incident.policy_name')],
  rules: {
    incident: [
      equals('message.content.data.incident.state', 'open'),
      isNoneOf('message.content.data.incident.severity', 'warning'),
    ],
    warning: [
      equals('message.content.data.incident.state', 'open'),
      equals('message.content.data.incident.severity', 'warning'),
    ],
    normal: [equals('message.content.data.incident.state', 'closed')],
  },
  recoveryTime: null,
  snippet: `gcloud beta monitoring channels create --display-name=Yagura \\
  --type=webhook_tokenauth --channel-labels=url='{{url}}'
`,
};
