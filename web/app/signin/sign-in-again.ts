// Has the person sign in anew, whatever session there is, and brings them back to the page that asked for it.
import { type ActionFunctionArgs, redirect } from '@remix-run/node';
import { beginSignIn } from './begin.server.ts';
import { refuseForeign } from './same-origin.server.ts';

export const loader = () => redirect('/');

export async function action({ request, context }: ActionFunctionArgs) {
  refuseForeign(request, context);
  return beginSignIn(request, context, { again: true });
}
