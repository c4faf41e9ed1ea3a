// What the server said to the form that was sent last, for as long as the page is not left.
import { useActionData, useLocation } from '@remix-run/react';
import { useState } from 'react';

type Reply<A> = ReturnType<typeof useActionData<A>>;

/**
 * The reply to the last form of this page. Unlike Remix's own data of an action it stays when the page is
 * refreshed for a change, so that no one-time secret and no reason of a refusal goes away while it is read.
 */
export function useActionResult<A = unknown>(): Reply<A> {
  const actionData = useActionData<A>();
  const { key } = useLocation();
  const [stored, setStored] = useState({ key, reply: actionData });
  // A form sent gives the page a new key, and so does a page that is opened anew; a refresh does not.
  const current = actionData !== undefined || stored.key !== key ? { key, reply: actionData } : stored;
  if (current.key !== stored.key || current.reply !== stored.reply) setStored(current);
  return current.reply;
}
