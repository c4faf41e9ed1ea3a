// List of scopes, with the end of the mute of each muted one.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { action, loader as loadList } from '../../../resource/list/list.tsx';
import { ListScreen } from '../../../resource/list/list-screen.tsx';
import { MutedNote } from '../../mutes/muted-note.tsx';

export { action };

export async function loader(args: LoaderFunctionArgs) {
  const list = await loadList(args);
  return { ...list, watches: [...list.watches, 'mute-schedule'] };
}

export default function Scopes() {
  const data = useLoaderData<typeof loader>();
  return (
    <ListScreen
      key={data.screen}
      data={data}
      notes={{ displayName: ({ mutedUntil }) => <MutedNote until={mutedUntil} /> }}
    />
  );
}
