// Mute schedules.
export const mute = {
  'mute.tooMany': 'A scope has at most {{most}} mute schedules',
} as const;
