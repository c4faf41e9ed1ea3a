// Detail page of a rule, with its steps and events as sentences.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import type { rule } from '@yagura/core/alerthub/rule';
import type { Item } from '@yagura/core/resource/define-resource';
import { itemData } from '../../../resource/item/item-data.server.ts';
import { ItemScreen } from '../../../resource/item/item-screen.tsx';
import { matchResource } from '../../../resource/match-resource.server.ts';
import { removeItemAction } from '../../../resource/write/write.server.ts';
import { withApi } from '../../../signin/api.server.ts';
import { operatorKinds } from '../../flow/catalogue.server.ts';
import { ConditionalEventParamsView, EventParamsView, FlowView } from '../../flow/flow-view.tsx';

type RuleItem = Item<typeof rule>;

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [data, kinds] = await Promise.all([itemData(api, match), operatorKinds(api)]);
    return { ...data, kinds };
  });
}

export const action = removeItemAction;

export default function Rule() {
  const data = useLoaderData<typeof loader>();
  const { flow, eventParams, conditionalEventParams } = data.item as unknown as RuleItem;
  return (
    <ItemScreen
      data={data}
      fields={{
        flow: <FlowView flow={flow} kinds={data.kinds} purpose="rule" />,
        eventParams: <EventParamsView value={eventParams} references={data.references} />,
        conditionalEventParams: <ConditionalEventParamsView value={conditionalEventParams} />,
      }}
    />
  );
}
