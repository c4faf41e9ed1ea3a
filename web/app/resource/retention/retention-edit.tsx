// Form of retention settings, with its consequences explained.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { editData } from '../form/edit-data.server.ts';
import { FormScreen } from '../form/form-screen.tsx';
import { editAction } from '../write/write.server.ts';
import { useRetentionTexts } from './retention-texts.ts';

export const loader = (args: LoaderFunctionArgs) => editData(args);
export const action = editAction;

export default function RetentionEdit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  const { about, hints } = useRetentionTexts(data.meta.name);
  return (
    <FormScreen key={data.version} {...data} actionData={refusal} mode="edit" hints={hints}>
      <p className="text-sm text-muted">{about}</p>
    </FormScreen>
  );
}
