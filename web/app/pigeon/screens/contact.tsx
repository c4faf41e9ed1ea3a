// Detail page of a contact, with a note for users from whom phone numbers are hidden.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { maskedPhone } from '@yagura/core/pigeon/masked-phone';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemScreen } from '../../resource/item/item-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { removeItemAction } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { HiddenNumbersHint } from '../hidden-numbers-hint.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, (api) => itemData(api, match));
}

export const action = removeItemAction;

export default function Contact() {
  const data = useLoaderData<typeof loader>();
  const phones = (data.item.phones ?? []) as { phoneNumber: string }[];
  return (
    <>
      {phones.some(({ phoneNumber }) => phoneNumber === maskedPhone) && <HiddenNumbersHint />}
      <ItemScreen
        data={data}
        fields={{
          phones: (
            <ol className="grid list-decimal gap-0.5 pl-5 tabular-nums">
              {phones.map(({ phoneNumber }, index) => (
                <li key={index}>{phoneNumber}</li>
              ))}
            </ol>
          ),
        }}
      />
    </>
  );
}
