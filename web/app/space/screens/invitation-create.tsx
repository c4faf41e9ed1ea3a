// Form for an invitation; its mail is in the inviting user's language unless another one is chosen.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { preferencesOf } from '../../preferences/preferences.server.ts';
import { createData } from '../../resource/form/create-data.server.ts';

export { action, default } from '../../resource/form/create.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { language } = preferencesOf(args.request);
  return { ...(await createData(args)), values: { language } };
}
