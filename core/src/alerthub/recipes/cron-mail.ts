import { extract, type Recipe } from './recipe.ts';

/** cron mails the output of a command, with the subject `Cron <root@web1> /usr/local/bin/backup`. */
export const cronMail: Recipe = {
  name: 'cron-mail',
  product: 'cron',
  slot: { kind: 'email' },
  forEach: null,
  severityName: 'name',
  fingerprint: null,
  steps: [extract('message.content.subject', '^Cron <([^>]{1,60})', 'name')],
  rules: { warning: [] },
  // cron says nothing about a run that succeeds. A daily run may take an hour longer than the one before.
  recoveryTime: 25 * 3600,
  snippet: `MAILTO={{mailAddress}}
`,
};
