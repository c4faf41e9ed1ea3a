// Names of the hidden inputs that a form adds to the fields of its resource.

/** Idempotency key of a create request. */
export const idempotencyKeyField = '$key';
/** ETag of the version being edited. */
export const etagField = '$tag';
/** Set if the form replaces the item also after a change by somebody else. */
export const overwriteField = '$overwrite';
/** Query parameter of a create form with the id of the item that it copies. */
export const copyParam = 'copy';
