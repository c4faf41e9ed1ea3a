// Has the person sign in anew, whatever session there is, and brings them back to the page that asked for it.
import { type ActionFunctionArgs, redirect } from '@remix-run/node';
import { beginSignIn } from './begin-sign-in.server.ts';
import { rejectCrossSiteRequest } from './same-origin.server.ts';

export const loader = () => redirect('/');

export async function action({ request, context }: ActionFunctionArgs) {
  rejectCrossSiteRequest(request, context);
  return beginSignIn(request, context, { again: true });
}
