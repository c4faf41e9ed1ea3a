// Keys and statuses of calls for clients, without schemas.

/** Effect of a pressed key on the chain. */
export const behaviors = ['terminate', 'continue', 'leave', 'transfer'] as const;
export type Behavior = (typeof behaviors)[number];

/** Keys that can be assigned. */
export const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;
export type Digit = (typeof digits)[number];

/** Maximum length of a template in characters; reading one of that length takes many minutes. */
export const maxMessageLength = 4000;

/** Languages of voices. */
export const voiceLanguages = ['en', 'ja'] as const;

/** Readings of the message per round, number of rounds, and seconds to wait for a key after each round. */
export const readingPlan = { perRound: 2, rounds: 3, waitSeconds: 10 } as const;

/** Maximum number of phones per contact; a callflow refers to a phone by its position in the list. */
export const maxPhones = 10;

/** Maximum number of windows in the quiet hours of a callflow. */
export const maxQuietWindows = 20;

export const resultStatuses = [
  'waiting',
  'preparing',
  'processing',
  'aborting',
  'succeeded',
  'aborted',
  'failed',
] as const;
export type ResultStatus = (typeof resultStatuses)[number];

/** A finished chain no longer changes. */
export const isFinalStatus = (status: ResultStatus): boolean =>
  status === 'succeeded' || status === 'aborted' || status === 'failed';
