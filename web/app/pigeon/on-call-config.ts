// Builds what other monitoring systems need to start a call chain: a Zabbix media type, Nagios commands, and the
// commands that connect Alertmanager through AlertHub. None of it contains a secret.
import { type CallInvocation, invokeUrl, shellQuote } from './invoke-command.ts';

interface Names {
  callflow: string;
  guidance: string;
}

/**
 * A media type of kind webhook in Zabbix's import format (6.0 and later). The token is a macro of Zabbix. Nobody is
 * called because a trigger or host with a problem was disabled, of which Zabbix sends a note by the same media.
 */
export function zabbixMediaType(origin: string, call: CallInvocation): string {
  const values = {
    url: invokeUrl(origin),
    token: '{$YAGURA.TOKEN}',
    callflow: call.callflowId,
    guidance: call.guidanceId,
    parameters: JSON.stringify(call.parameters),
    host: '{HOST.NAME}',
    name: '{EVENT.NAME}',
    opdata: '{EVENT.OPDATA}',
    message: '{ALERT.MESSAGE}',
  };
  // A JSON text is a YAML text as well.
  const parameters = Object.entries(values).map(
    ([name, value]) => `        - name: ${name}\n          value: ${JSON.stringify(value)}`,
  );
  return `zabbix_export:
  version: '6.0'
  media_types:
    - name: Yagura call
      type: WEBHOOK
      parameters:
${parameters.join('\n')}
      script: |
        var given = JSON.parse(value), request = new HttpRequest(), parameters = JSON.parse(given.parameters);
        if (given.message !== given.opdata && /^NOTE: Escalation cancell?ed/.test(given.message)) return 'not called';
        ['host', 'name', 'message'].forEach(function (key) {
          if (!(key in parameters)) parameters[key] = given[key];
        });
        request.addHeader('Content-Type: application/json');
        request.addHeader('X-Authorization: Token ' + given.token);
        var reply = request.post(given.url, JSON.stringify({
          params: {callflowId: given.callflow, guidanceId: given.guidance, parameters: parameters}
        }));
        if (request.getStatus() !== 200) throw 'HTTP ' + request.getStatus() + ': ' + reply;
        reply = JSON.parse(reply);
        if (reply.status !== 'requested') throw reply.errorDescriptor.detail;
        return reply.resultId;
      message_templates:
        - event_source: TRIGGERS
          operation_mode: PROBLEM
          subject: '{EVENT.NAME}'
          message: '{EVENT.OPDATA}'
`;
}

/**
 * A contact of Nagios and its commands. The shell reads address and token from a file; Nagios removes quotes from
 * the values of macros such as the output of a check.
 */
export function nagiosConfig(origin: string, call: CallInvocation, names: Names): string {
  const command = (name: string, macros: Record<string, string>) => {
    const own = Object.entries(call.parameters).map(([key, value]) =>
      nagiosText(shellQuote(`${key}=${value}`)),
    );
    const fromMacros = Object.entries(macros)
      .filter(([key]) => !Object.hasOwn(call.parameters, key))
      .map(([key, macro]) => `'${key}=${macro}'`);
    const line = [
      '. /etc/nagios4/yagura.env && yagura call',
      nagiosText(shellQuote(names.callflow || call.callflowId)),
      '--guidance',
      nagiosText(shellQuote(names.guidance || call.guidanceId)),
      ...[...own, ...fromMacros].map((pair) => `--param ${pair}`),
    ].join(' ');
    return `define command {
    command_name                    ${name}
    command_line                    ${line}
}
`;
  };
  return `# /etc/nagios4/yagura.env, readable by the user of Nagios only:
#   export YAGURA_URL=${shellQuote(origin)}
#   export YAGURA_TOKEN=...

${command('yagura-call-host', { host: '$HOSTNAME$', name: '$HOSTSTATE$', message: '$HOSTOUTPUT$' })}
${command('yagura-call-service', { host: '$HOSTNAME$', name: '$SERVICEDESC$', message: '$SERVICEOUTPUT$' })}
define contact {
    contact_name                    yagura-call
    host_notifications_enabled      1
    service_notifications_enabled   1
    host_notification_period        24x7
    service_notification_period     24x7
    host_notification_options       d,u
    service_notification_options    u,c
    host_notification_commands      yagura-call-host
    service_notification_commands   yagura-call-service
}
`;
}

/** In a command line of Nagios, `$` begins a macro and `;` a comment. */
function nagiosText(text: string): string {
  return text.replaceAll('$', '$$$$').replaceAll(';', '\\;');
}

/**
 * Commands that connect Alertmanager: the body of its webhooks is fixed and starts no chain by itself, so its alerts
 * go to a receive slot, and a trigger starts the chain. The first command writes the configuration of Alertmanager.
 */
export function alertmanagerCommands({ callflowId, guidanceId }: CallInvocation, names: Names): string {
  const conditions = [
    { conditionId: 'severity-changed', params: { direction: 'up' } },
    { conditionId: 'scope-status', params: { when: 'after', comparison: 'eq', status: 'incident' } },
  ];
  return [
    'yagura alerthub receive-slots create --recipe alertmanager --display-name Alertmanager --scope Alertmanager > alertmanager.yml',
    `yagura alerthub actions create --display-name 'Alertmanager calls' --kind pigeon \\
  --parameters.callflow-id ${shellQuote(names.callflow || callflowId)} \\
  --parameters.guidance-id ${shellQuote(names.guidance || guidanceId)}`,
    `yagura alerthub triggers create --scope Alertmanager --display-name 'Alertmanager calls' \\
${conditions.map((condition) => `  --conditions ${shellQuote(JSON.stringify(condition))} \\`).join('\n')}
  --target.kind action --target.id 'Alertmanager calls'`,
  ].join('\n');
}
