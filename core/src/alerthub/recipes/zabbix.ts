import { equals, isNoneOf, isOneOf, nameFrom, type Recipe } from './recipe.ts';

/** Numbers of the severities Average, High and Disaster, whose names may be changed. */
const incidentSeverities = ['3', '4', '5'] as const;

/**
 * https://www.zabbix.com/documentation/current/en/manual/config/notifications/media/webhook
 *
 * Zabbix never repeats a notification of an end, so it tries for as long as it can: 100 attempts. When a trigger, item or
 * host with a problem is disabled, it puts a note before the message of the problem, and does not report the end later:
 * the script turns this into the end. So does a disabled action, but the problem continues. Data of a host may begin like
 * that note, so they are compared.
 */
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
        - name: opdata
          value: '{EVENT.OPDATA}'
        - name: message
          value: '{ALERT.MESSAGE}'
      attempts: '100'
      attempt_interval: 1m
      script: |
        var params = JSON.parse(value), request = new HttpRequest(), url = params.url;
        delete params.url;
        if (params.message !== params.opdata && /^NOTE: Escalation cancell?ed: (trigger|item|host) /.test(params.message)) params.event_value = '0';
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
        - event_source: TRIGGERS
          operation_mode: UPDATE
          subject: '{EVENT.NAME}'
          message: '{USER.FULLNAME} {EVENT.UPDATE.ACTION}: {EVENT.UPDATE.MESSAGE}'
`,
};
