// Changes a note. Notes have no call that shows one, so it is found in the list.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Problem } from '@yagura/core/http/problem';
import { resourceMeta } from '@yagura/core/resource/face';
import { commandOf } from '../../resource/command.server.ts';
import { crumbsFor } from '../../resource/crumbs.server.ts';
import { FormScreen } from '../../resource/form-screen.tsx';
import { matchResource } from '../../resource/place.server.ts';
import { handleWrite, leave } from '../../resource/write.server.ts';
import { useActionResult } from '../../shell/use-reply.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/grant.server.ts';

type Row = Record<string, unknown>;

export async function loader(args: LoaderFunctionArgs) {
  const placed = matchResource(new URL(args.request.url).pathname);
  const { resource, params } = placed;
  const id = args.params.noteId ?? '';
  return withApi(args, async (api) => {
    const [person, page] = await Promise.all([
      getCurrentUser(api),
      api.client<Row, Row>(resource).list({ filter: `noteId eq ${JSON.stringify(id)}`, limit: 1 }, params),
    ]);
    if (!resourcePermissions(person, resource).edit) throw new Problem('forbidden');
    const values = page.items[0];
    if (!values) throw new Problem('not-found');
    return {
      meta: resourceMeta(resource),
      screen: placed.screen,
      values,
      crumbs: await crumbsFor(api, placed, undefined, 'verb.edit'),
      command: commandOf(resource, 'edit', id, params),
    };
  });
}

export const action = (args: ActionFunctionArgs) =>
  handleWrite(args, async (api, placed, values) => {
    await api.client<Row, Row>(placed.resource).edit(args.params.noteId, values, placed.params);
    return leave(placed.screen, 'saved');
  });

export default function NoteEdit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return (
    <FormScreen
      {...data}
      references={{}}
      hidden={{}}
      refusal={refusal}
      mode="edit"
      cancelHref={data.screen}
    />
  );
}
