import { extract, matches, nameFrom, type Recipe } from './recipe.ts';

/** Subject of the sample configuration: `** PROBLEM Service Alert: web1/HTTP is CRITICAL **`. */
export const nagiosMail: Recipe = {
  name: 'nagios-mail',
  product: 'Nagios',
  slot: { kind: 'email' },
  forEach: null,
  severityName: 'name',
  fingerprint: 'item',
  steps: [extract('message.content.subject', 'Alert: (.+) is [A-Z]+ \\*\\*', 'item'), nameFrom('item')],
  rules: {
    incident: [
      matches('message.content.subject', '^\\*\\* PROBLEM .* is (CRITICAL|DOWN|UNREACHABLE) \\*\\*'),
    ],
    warning: [matches('message.content.subject', '^\\*\\* PROBLEM .* is (WARNING|UNKNOWN) \\*\\*')],
    // No RECOVERY is sent during a downtime; its end says that all is well.
    normal: [matches('message.content.subject', '^\\*\\* [A-Z]+ .* is (OK|UP) \\*\\*')],
  },
  recoveryTime: null,
  snippet: `define contact {
  contact_name                   yagura
  use                            generic-contact
  email                          {{mailAddress}}
  service_notification_commands  notify-service-by-email
  host_notification_commands     notify-host-by-email
}
`,
};
