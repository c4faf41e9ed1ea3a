// Translations for mute schedules.
export const mute = {
  'mute.when': 'When they are active',
  'mute.next': 'Next',
  'mute.calendar': 'Calendar',
  'mute.before': 'Previous month',
  'mute.after': 'Next month',
  'mute.none-in-month': 'Nothing is muted in this month',
  'mute.tooMany': 'A scope has at most {{most}} mute schedules',
} as const;
