// A contact, with a word on hidden numbers for whom may not see them.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { hiddenPhone } from '@yagura/core/pigeon/hidden-phone';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemScreen } from '../../resource/item-screen.tsx';
import { matchResource } from '../../resource/place.server.ts';
import { removeAt } from '../../resource/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { PhoneHint } from '../phone-hint.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const placed = matchResource(new URL(args.request.url).pathname);
  return withApi(args, (api) => itemData(api, placed));
}

export const action = removeAt;

export default function Contact() {
  const data = useLoaderData<typeof loader>();
  const phones = (data.item.phones ?? []) as { phoneNumber: string }[];
  return (
    <>
      {phones.some(({ phoneNumber }) => phoneNumber === hiddenPhone) && <PhoneHint />}
      <ItemScreen
        data={data}
        fields={{
          phones: (
            <ol className="grid list-decimal gap-0.5 pl-5 tabular-nums">
              {phones.map(({ phoneNumber }, at) => (
                <li key={at}>{phoneNumber}</li>
              ))}
            </ol>
          ),
        }}
      />
    </>
  );
}
