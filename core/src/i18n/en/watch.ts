// Translations for receive slot monitoring, its mails, and retention.
export const watch = {
  'watch.unwatched':
    'Not monitored: the slot is disabled, or neither a heartbeat interval nor an alert on unexpected silence is set.',
  'watch.heartbeat': 'A message is expected at least every {{interval}}.',
  'watch.beat':
    'A message usually arrives every {{usual}}. The longest interval in the last 4 weeks was {{longest}}.',
  'watch.week': 'In the same {{window}} of the last {{weeks}} weeks, {{least}} to {{most}} messages arrived.',
  'watch.overdue': '{{reason}} No message has arrived this time.',
  'watch.learning': "Not enough history to learn this slot's normal rate.",
  'watch.irregular': 'Messages arrived too irregularly in the last 4 weeks to predict the next one.',
  'watch.silent-slots': 'Silent receive slots',
  'watch.subject-overdue': 'No messages',
  'watch.subject-returned': 'Messages resumed',
  'watch.intro': 'Receive slots of the space "{{space}}":',
  'watch.never': '{{name}}: no message has arrived. It was due by {{due}}.',
  'watch.silent': '{{name}}: no message since {{last}}. The next one was due by {{due}}.',
  'watch.returned': '{{name}}: messages are arriving again, most recently at {{last}}.',
  'watch.link': 'Receive slot: {{url}}',
  'watch.more': '(and {{count}} more receive slots)',
  'watch.outro':
    'You receive one email when a slot becomes silent and one when messages resume. Change the expected interval on the page of the slot.',
  'retention.shorter': 'must be at least the number of days that messages are kept',
  'retention.about':
    "Expired data is deleted hourly. Leave blank to keep data forever. Counts, the audit log, settings, pending items and each severity's latest event are always kept.",
  'retention.for-ever': 'Forever',
  'retention.days-hint': 'From 1 to 3,650 days. Leave blank to keep everything.',
  'retention.about-logs':
    'The logs of a closed session are deleted this many days after its end. The session itself stays, with its participants and times.',
  'retention.about-snapshots':
    'Snapshots are deleted this many days after their scan began. The latest successful snapshot of each network stays, and so do the managed nodes with their notes, tags and packages.',
  'retention.about-results':
    'Call results are deleted this many days after their end, with the phone numbers and what happened in each call.',
  'retention.message-hint':
    'Messages with their raw data, attachments and decision logs. Replays are limited to this period.',
  'retention.history-hint':
    'Events, action records and runbook records. They must be kept at least as long as messages.',
} as const;
