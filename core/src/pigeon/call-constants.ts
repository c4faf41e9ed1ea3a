// What every face knows of keys and states without carrying schemas.

/** What a pressed key does to the chain (spec section 3). */
export const behaviors = ['terminate', 'continue', 'leave', 'transfer'] as const;
export type Behavior = (typeof behaviors)[number];

/** Keys that can mean something. */
export const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;
export type Digit = (typeof digits)[number];

/** Characters of a template; a reading of the longest takes many minutes already. */
export const maxMessageLength = 4000;

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

/** A chain that is over stays as it is. */
export const isFinalStatus = (status: ResultStatus): boolean =>
  status === 'succeeded' || status === 'aborted' || status === 'failed';
