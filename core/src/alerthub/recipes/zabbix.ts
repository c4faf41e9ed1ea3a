import { equals, isNoneOf, isOneOf, nameFrom, type Recipe } from './recipe.ts';

/** Numbers of the severities Average, High and Disaster, whose names may be changed. */
const incidentSeverities = ['3', '4', '5'] as const;

/** https://www.zabbix.com/documentation/current/en/manual/config/notifications/media/webhook */
export const zabbix: Recipe = {
  name: 'zabbix',
  product: 'Zabbix',
  slot: { kind: 'webhook' },
  forEach: null,
  severityName: 'name',
  fingerprint: 'message.content.data.event_id',
  steps: [nameFrom('message.content.data.event_name')],
  rules: {
    incident: [
      equals('message.content.data.event_value', '1'),
      isOneOf('message.content.data.event_nseverity', ...incidentSeverities),
    ],
    warning: [
      equals('message.content.data.event_value', '1'),
      isNoneOf('message.content.data.event_nseverity', ...incidentSeverities),
    ],
    normal: [equals('message.content.data.event_value', '0')],
  },
  recoveryTime: null,
  snippet: `zabbix_export:
  version: '6.0'
  media_types:
    - name: Yagura
      type: WEBHOOK
      parameters:
        - name: url
          value: '{{url}}'
        - name: event_id
          value: '{EVENT.ID}'
        - name: event_name
          value: '{EVENT.NAME}'
        - name: event_value
          value: '{EVENT.VALUE}'
        - name: event_nseverity
          value: '{EVENT.NSEVERITY}'
        - name: event_severity
          value: '{EVENT.SEVERITY}'
        - name: host
          value: '{HOST.NAME}'
        - name: message
          value: '{ALERT.MESSAGE}'
      script: |
        var params = JSON.parse(value), request = new HttpRequest(), url = params.url;
        delete params.url;
        request.addHeader('Content-Type: application/json');
        request.post(url, JSON.stringify(params));
        if (request.getStatus() < 200 || request.getStatus() > 299) throw 'HTTP ' + request.getStatus();
        return 'OK';
      message_templates:
        - event_source: TRIGGERS
          operation_mode: PROBLEM
          subject: '{EVENT.NAME}'
          message: '{EVENT.OPDATA}'
        - event_source: TRIGGERS
          operation_mode: RECOVERY
          subject: '{EVENT.NAME}'
          message: '{EVENT.OPDATA}'
`,
};
