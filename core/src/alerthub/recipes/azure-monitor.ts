import { equals, isOneOf, nameFrom, type Recipe } from './recipe.ts';

const essentials = 'message.content.data.data.essentials';

/** https://learn.microsoft.com/azure/azure-monitor/alerts/alerts-common-schema */
export const azureMonitor: Recipe = {
  name: 'azure-monitor',
  product: 'Azure Monitor',
  slot: { kind: 'webhook', confirmSubscriptions: true },
  forEach: null,
  severityName: 'name',
  fingerprint: `${essentials}.alertId`,
  steps: [
    equals('message.content.data.schemaId', 'azureMonitorCommonAlertSchema'),
    nameFrom(`${essentials}.alertRule`),
  ],
  rules: {
    incident: [
      equals(`${essentials}.monitorCondition`, 'Fired'),
      isOneOf(`${essentials}.severity`, 'Sev0', 'Sev1'),
    ],
    warning: [
      equals(`${essentials}.monitorCondition`, 'Fired'),
      isOneOf(`${essentials}.severity`, 'Sev2', 'Sev3', 'Sev4'),
    ],
    normal: [equals(`${essentials}.monitorCondition`, 'Resolved')],
  },
  recoveryTime: null,
  snippet: `az monitor action-group create --resource-group "$RESOURCE_GROUP" --name yagura \\
  --action webhook yagura '{{url}}' usecommonalertschema
`,
};
