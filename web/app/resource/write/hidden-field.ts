// Names of the hidden inputs that a form adds to the fields of its resource.

/** Idempotency key of a create request. */
export const idempotencyKeyField = '$key';
/** ETag of the version being edited. */
export const etagField = '$tag';
/** Query parameter of a create form with the id of the item that it copies. */
export const copyParam = 'copy';
