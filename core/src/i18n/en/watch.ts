// Translations for receive slot monitoring, its mails, and retention.
export const watch = {
  'watch.unwatched':
    'Nothing is expected: the slot is disabled, or neither a heartbeat nor its habit is watched.',
  'watch.heartbeat': 'A message is expected at least every {{interval}}.',
  'watch.beat':
    'A message usually arrives every {{usual}}; in the last 4 weeks the longest wait was {{longest}}.',
  'watch.week': 'In the same {{window}} of the last {{weeks}} weeks, {{least}} to {{most}} messages arrived.',
  'watch.overdue': '{{reason}} None has come this time.',
  'watch.learning': 'The slot has not been in use long enough for its habit to be known.',
  'watch.irregular': 'Messages came too irregularly in the last 4 weeks to say when the next one is due.',
  'watch.silent-slots': 'Silent receive slots',
  'watch.subject-overdue': 'No messages',
  'watch.subject-returned': 'Messages again',
  'watch.intro': 'About the receive slots of the space "{{space}}":',
  'watch.never': '{{name}}: no message has arrived. It was due by {{due}}.',
  'watch.silent': '{{name}}: no message since {{last}}. The next one was due by {{due}}.',
  'watch.returned': '{{name}}: messages arrive again, the last one at {{last}}.',
  'watch.link': 'Receive slot: {{url}}',
  'watch.more': '(and {{count}} more receive slots)',
  'watch.outro':
    'Each silence is told of once, and so is its end. What is expected of a slot is set on its own page.',
  'retention.shorter': 'must not be shorter than the days that messages are kept',
  'retention.about':
    'What is older is removed every hour; an empty number keeps it for ever. Counts per hour, day and month, the audit log and the settings stay. So does what something still waits for, and the last event of each severity.',
  'retention.for-ever': 'For ever',
  'retention.message-hint':
    'Messages with their bytes, attachments and decision logs. Replays look back no further.',
  'retention.history-hint':
    'Events, action records and runbook records. They are kept at least as long as the messages.',
} as const;
