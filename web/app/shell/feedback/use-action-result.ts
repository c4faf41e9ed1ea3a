// Keeps the server's response to the last submitted form until the page is left.
import { useActionData, useLocation } from '@remix-run/react';
import { useState } from 'react';

type Reply<A> = ReturnType<typeof useActionData<A>>;

/**
 * Returns the response to the page's last form. Unlike `useActionData` it survives revalidation, so that
 * one-time secrets and error messages do not disappear while the user reads them.
 */
export function useActionResult<A = unknown>(): Reply<A> {
  const actionData = useActionData<A>();
  const { key } = useLocation();
  const [stored, setStored] = useState({ key, reply: actionData });
  // A submission or navigation changes the location key; a revalidation does not.
  const current = actionData !== undefined || stored.key !== key ? { key, reply: actionData } : stored;
  if (current.key !== stored.key || current.reply !== stored.reply) setStored(current);
  return current.reply;
}
