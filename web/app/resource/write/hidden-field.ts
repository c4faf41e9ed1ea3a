// Names of the inputs that a form carries beside the fields of its resource.

/** Idempotency key of a create. */
export const idempotencyKeyField = '$key';
/** Tag of the version that an edit started from. */
export const etagField = '$tag';
