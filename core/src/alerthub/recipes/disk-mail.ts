import { extract, itemFrom, matches, nameFrom, type Recipe } from './recipe.ts';

const subject = 'message.content.subject';

/**
 * Subjects of smartd and of `mdadm --monitor`: `SMART error (Health) detected on host: web1`,
 * `DegradedArray event on /dev/md0:web1`. The subject of smartd does not name the device. Their test mails,
 * EmailTest and TestMessage, change nothing.
 */
export const diskMail: Recipe = {
  name: 'disk-mail',
  product: 'smartd, mdadm',
  slot: { kind: 'email' },
  forEach: null,
  severityName: 'name',
  fingerprint: 'problem',
  steps: [
    itemFrom(subject, '^SMART error \\((\\w+)\\) detected on host: (.+)$', '$2: $1'),
    itemFrom('item', '^(\\w+) event on (.+):([^:]+)$', '$3: $1 $2'),
    nameFrom('item'),
    extract('message.content.text', '[Dd]evice:? (/dev/[^\\n,]+)', 'device'),
    { operatorId: 'concatenate', params: { template: '{{{item}}} {{{device}}}', destination: 'problem' } },
  ],
  rules: {
    incident: [matches(subject, '^(SMART error \\((Health|Failed\\w+)\\) |(Fail|DegradedArray) event on /)')],
    warning: [
      matches(
        subject,
        '^(SMART error \\((CurrentPendingSector|OfflineUncorrectableSector|SelfTest|ErrorCount|Temperature|Usage)\\) |(FailSpare|SparesMissing) event on /)',
      ),
    ],
  },
  // Neither reports an end. Both repeat a problem once a day, which may take up to an hour longer.
  recoveryTime: 25 * 3600,
  snippet: `# smartd.conf
DEVICESCAN -d removable -n standby -m {{mailAddress}} -M daily

# mdadm.conf
MAILADDR {{mailAddress}}
`,
};
