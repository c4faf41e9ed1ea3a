// Makes the user sign in again regardless of the session, and returns to the page that requested it.
import { type ActionFunctionArgs, redirect } from '@remix-run/node';
import { beginSignIn } from './begin-sign-in.server.ts';
import { rejectCrossSiteRequest } from './same-origin.server.ts';

export const loader = () => redirect('/');

export async function action({ request, context }: ActionFunctionArgs) {
  rejectCrossSiteRequest(request, context);
  return beginSignIn(request, context, { again: true });
}
