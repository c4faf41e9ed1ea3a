// Translations for acknowledgements and mute schedules of scopes.
export const scope = {
  'acknowledge.button': 'Acknowledge',
  'acknowledge.title': 'Acknowledge {{name}}',
  'acknowledge.hint':
    'Shows everyone that you are taking care of it, until the status gets worse or returns to normal. Triggers and calls are not affected.',
  'acknowledge.by': 'Acknowledged by {{name}}',
  'acknowledge.by-note': 'Acknowledged by {{name}}: {{note}}',
  'acknowledge.withdraw': 'Withdraw acknowledgement',
  'acknowledge.withdraw-title': 'Withdraw the acknowledgement of {{name}}?',
  'acknowledge.withdraw-text':
    'The scope is then shown as not acknowledged. The history of its events is kept.',
  'mute.mute': 'Mute',
  'mute.from-now': 'Mute from now for',
  'mute.name-now': 'Mute {{time}}',
  'mute.when': 'Active periods',
  'mute.over': 'This is over and will not happen again.',
  'mute.next': 'Next: {{times}} ({{zone}})',
  'mute.calendar': 'Calendar',
  'mute.before': 'Previous month',
  'mute.after': 'Next month',
  'mute.none-in-month': 'No muted periods in this month',
  'mute.until': 'Muted until {{time}}',
  'mute.tooMany': 'A scope can have at most {{most}} mute schedules',
} as const;
