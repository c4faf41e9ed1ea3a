import { alertmanager } from './alertmanager.ts';
import type { Recipe } from './recipe.ts';

/**
 * Grafana sends alerts in the format of Alertmanager.
 * https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/
 */
export const grafana: Recipe = {
  ...alertmanager,
  name: 'grafana',
  product: 'Grafana Alerting',
  snippet: `apiVersion: 1
contactPoints:
  - orgId: 1
    name: Yagura
    receivers:
      - uid: yagura
        type: webhook
        settings:
          url: {{url}}
          httpMethod: POST
`,
};
