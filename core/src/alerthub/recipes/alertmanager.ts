import { equals, isNoneOf, isOneOf, nameFrom, type Recipe } from './recipe.ts';

/** https://prometheus.io/docs/alerting/latest/configuration/#webhook_config */
export const alertmanager: Recipe = {
  name: 'alertmanager',
  product: 'Prometheus Alertmanager',
  slot: { kind: 'webhook' },
  forEach: '$.alerts[*]',
  severityName: 'name',
  fingerprint: 'element.fingerprint',
  steps: [nameFrom('element.labels.alertname')],
  rules: {
    // Alerts of severity "none", such as a watchdog, fire all the time.
    incident: [
      equals('element.status', 'firing'),
      isNoneOf('element.labels.severity', 'none', 'info', 'notice', 'low', 'minor', 'warn', 'warning'),
    ],
    warning: [
      equals('element.status', 'firing'),
      isOneOf('element.labels.severity', 'info', 'notice', 'low', 'minor', 'warn', 'warning'),
    ],
    normal: [equals('element.status', 'resolved')],
  },
  recoveryTime: null,
  snippet: `receivers:
  - name: yagura
    webhook_configs:
      - url: {{url}}
        send_resolved: true

route:
  receiver: yagura
`,
};
