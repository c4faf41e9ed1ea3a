// Translations for mute schedules.
export const mute = {
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
