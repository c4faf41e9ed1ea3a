// Detail page of a trigger, with its conditions and steps as sentences.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import type { trigger } from '@yagura/core/alerthub/trigger';
import type { Item } from '@yagura/core/resource/define-resource';
import { itemData } from '../../../resource/item/item-data.server.ts';
import { ItemScreen } from '../../../resource/item/item-screen.tsx';
import { matchResource } from '../../../resource/match-resource.server.ts';
import { removeItemAction } from '../../../resource/write/write.server.ts';
import { withApi } from '../../../signin/api.server.ts';
import { FieldValue } from '../../../ui/text/field-value.tsx';
import { operatorKinds } from '../../flow/catalogue.server.ts';
import { ConditionsView, FlowView, RelatedFiltersView } from '../../flow/flow-view.tsx';

type TriggerItem = Item<typeof trigger>;

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [data, kinds] = await Promise.all([itemData(api, match), operatorKinds(api)]);
    return { ...data, kinds };
  });
}

export const action = removeItemAction;

export default function Trigger() {
  const data = useLoaderData<typeof loader>();
  const { flow, conditions, relatedMessageFilters, target } = data.item as unknown as TriggerItem;
  return (
    <ItemScreen
      data={data}
      fields={{
        conditions: <ConditionsView conditions={conditions} />,
        relatedMessageFilters: <RelatedFiltersView filters={relatedMessageFilters} />,
        flow: <FlowView flow={flow} kinds={data.kinds} purpose="trigger" />,
        target: (
          <FieldValue
            name="target"
            meta={{ kind: 'reference', resource: target.kind, required: true, nullable: false }}
            value={target.id}
            references={data.references}
          />
        ),
      }}
    />
  );
}
