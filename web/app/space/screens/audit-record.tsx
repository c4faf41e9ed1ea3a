// Detail page of an audit record.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { preferencesOf } from '../../preferences/preferences.server.ts';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemScreen } from '../../resource/item/item-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { auditLabels } from '../audit-labels.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [data, label] = await Promise.all([
      itemData(api, match),
      auditLabels(preferencesOf(args.request).language),
    ]);
    return { ...data, item: label(data.item) };
  });
}

export default function AuditRecord() {
  return <ItemScreen data={useLoaderData<typeof loader>()} />;
}
