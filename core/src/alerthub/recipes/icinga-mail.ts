import { extract, matches, nameFrom, type Recipe } from './recipe.ts';

/** Subject of the scripts that Icinga 2 includes: `[PROBLEM] HTTP on web1 is CRITICAL!`. */
export const icingaMail: Recipe = {
  name: 'icinga-mail',
  product: 'Icinga 2',
  slot: { kind: 'email' },
  forEach: null,
  severityName: 'name',
  fingerprint: 'item',
  steps: [extract('message.content.subject', '^\\[[A-Z]+\\] (.+) is [A-Z]+!', 'item'), nameFrom('item')],
  rules: {
    incident: [matches('message.content.subject', '^\\[PROBLEM\\] .* is (CRITICAL|DOWN)!')],
    warning: [matches('message.content.subject', '^\\[PROBLEM\\] .* is (WARNING|UNKNOWN)!')],
    normal: [matches('message.content.subject', '^\\[RECOVERY\\] ')],
  },
  recoveryTime: null,
  snippet: `object User "yagura" {
  import "generic-user"
  display_name = "Yagura"
  email = "{{mailAddress}}"
}
`,
};
