// List of receive slots, with a link to the recipes.
import { useLoaderData } from '@remix-run/react';
import { action, loader } from '../../../resource/list/list.tsx';
import { ListScreen } from '../../../resource/list/list-screen.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import { useTranslation } from '../../../ui/translation.tsx';

export { action, loader };

export default function ReceiveSlots() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <ListScreen
      key={data.screen}
      data={data}
      actions={
        data.permissions.create && <LinkButton to={`${data.screen}/recipes`}>{t('recipe.from')}</LinkButton>
      }
    />
  );
}
