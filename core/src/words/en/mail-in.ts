// Mails that come in: their slots, what they say, and what is attached to them.
export const mailIn = {
  'mail-in.kind-kept': 'The kind of a receive slot cannot be changed; create another slot',
} as const;
