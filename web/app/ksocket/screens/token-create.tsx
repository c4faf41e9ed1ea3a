// Creates a Ksocket token and shows it; it cannot be shown again.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { data } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ksocketToken } from '@yagura/core/ksocket/ksocket-token';
import { createData } from '../../resource/form/create-data.server.ts';
import { FormScreen } from '../../resource/form/form-screen.tsx';
import { idempotencyKeyField } from '../../resource/write/hidden-field.ts';
import { handleWrite } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { CreatedToken } from '../../ui/page/created-token.tsx';
import { InstallCommands } from '../install-commands.tsx';

export const loader = (args: LoaderFunctionArgs) => createData(args);

export const action = (args: ActionFunctionArgs) =>
  handleWrite(args, async (api, match, values, form) => {
    const made = await api.client(ksocketToken).create(values as never, match.params, {
      idempotencyKey: String(form.get(idempotencyKeyField) ?? '') || undefined,
    });
    const { origin, version } = args.context;
    return data({
      made: { displayName: made.displayName, token: made.token ?? '', list: match.screen, origin, version },
    });
  });

export default function KsocketTokenCreate() {
  const form = useLoaderData<typeof loader>();
  const reply = useActionResult<typeof action>();
  if (reply && 'made' in reply)
    return (
      <CreatedToken {...reply.made}>
        <InstallCommands {...reply.made} />
      </CreatedToken>
    );
  return <FormScreen {...form} actionData={reply} mode="create" cancelHref={form.screen} />;
}
