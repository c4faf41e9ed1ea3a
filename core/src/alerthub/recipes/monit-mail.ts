import { extract, itemFrom, matches, matchesNot, type Recipe } from './recipe.ts';

/** `HOST/SERVICE: EVENT: DESCRIPTION`; the name of a service may contain a colon. */
const text = 'message.content.text';
const service = '(?:[^:]|:\\S)+: ';

/** The service does not work; other problems are warnings, such as a limit that is reached or a changed file. */
const outage = `^${service}(Does not exist|Timeout|Link down|Invalid type|Data access error|(Connection|Execution|Heartbeat|ICMP|Ping|Status) failed): `;
const end = `^${service}(Exists|Content doesn't match|[^:]+ (succeeded|ok|up|recovery|not changed)): `;

/** Last words of the name of an event, after what it is about. */
const outcomes =
  "failed|succeeded|exceeded|ok|error|down|up|recovery|not changed|changed|doesn't match|match";

/** https://mmonit.com/monit/documentation/monit.html#ALERT-MESSAGES */
export const monitMail: Recipe = {
  name: 'monit-mail',
  product: 'Monit',
  slot: { kind: 'email' },
  forEach: null,
  severityName: 'name',
  fingerprint: 'item',
  steps: [
    extract(text, '^(\\P{Cc}{1,60}?): ', 'name'),
    // The mails about the beginning and the end of a problem name it alike. A service can have several limits
    // and several connections.
    itemFrom(text, `(?s)^(${service}Resource limit) \\w+: (\\S+ \\S+) .*$`, '$1 $2'),
    itemFrom('item', `(?s)^(${service}Connection) \\w+: .*? (?:at|to) (\\S+).*$`, '$1 $2'),
    itemFrom('item', `(?s)^(${service})(?:Does not exist|Exists): .*$`, '$1Existence'),
    itemFrom('item', `(?s)^(${service})(?:Invalid type|Type succeeded): .*$`, '$1Type'),
    itemFrom('item', `(?s)^(${service}[^:]+?)(?: (?:${outcomes}))?: .*$`, '$1'),
  ],
  rules: {
    incident: [matches(text, outage)],
    warning: [matches(text, `^${service}[^:]+: `), matchesNot(text, outage), matchesNot(text, end)],
    normal: [matches(text, end)],
  },
  // Monit never reports the end of some problems, such as a changed file or a check that was removed. Others it
  // reports again every 100 cycles: within a day if a cycle is shorter than 14 minutes.
  recoveryTime: 24 * 3600,
  snippet: `set alert {{mailAddress}} not on { instance, action }
  with mail-format {
    subject: $HOST/$SERVICE: $EVENT
    message: $HOST/$SERVICE: $EVENT: $DESCRIPTION
Date: $DATE
Action: $ACTION
  }
  with reminder on 100 cycles
`,
};
