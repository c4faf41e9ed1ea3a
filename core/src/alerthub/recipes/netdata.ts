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
  local code
  code=$(docurl '{{url}}' --data-urlencode "id=\${host}/\${chart}.\${name}" \\
    --data-urlencode "host=\${host}" --data-urlencode "alarm=\${name}" \\
    --data-urlencode "chart=\${chart}" --data-urlencode "status=\${status}" \\
    --data-urlencode "value=\${value_string}" --data-urlencode "info=\${info}")
  case "\${code}" in
    2??) info "sent \${status} of \${host}.\${chart}.\${name} to Yagura" ;;
    *) error "cannot send \${status} of \${host}.\${chart}.\${name} to Yagura: HTTP \${code}"; return 1 ;;
  esac
}
`,
};
