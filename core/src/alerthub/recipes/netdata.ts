import { equals, nameFrom, type Recipe } from './recipe.ts';

/** https://learn.netdata.cloud/docs/alerts-&-notifications/notifications/agent-dispatched-notifications/custom */
export const netdata: Recipe = {
  name: 'netdata',
  product: 'Netdata',
  slot: { kind: 'webhook' },
  forEach: null,
  severityName: 'name',
  fingerprint: 'message.content.data.id',
  steps: [nameFrom('message.content.data.alarm')],
  rules: {
    incident: [equals('message.content.data.status', 'CRITICAL')],
    warning: [equals('message.content.data.status', 'WARNING')],
    normal: [equals('message.content.data.status', 'CLEAR')],
  },
  recoveryTime: null,
  snippet: `SEND_CUSTOM="YES"
DEFAULT_RECIPIENT_CUSTOM="yagura"

custom_sender() {
  docurl -X POST '{{url}}' -H 'Content-Type: application/json' -d "{
    \\"id\\": \\"\${host}/\${alarm_id}\\", \\"host\\": \\"\${host}\\", \\"alarm\\": \\"\${name}\\",
    \\"chart\\": \\"\${chart}\\", \\"status\\": \\"\${status}\\", \\"value\\": \\"\${value_string}\\"
  }"
}
`,
};
