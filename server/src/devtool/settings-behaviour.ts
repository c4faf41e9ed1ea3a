// Exposes server settings to the console.

import { settings } from '@yagura/core/space/client-settings';
import type { Identity } from '../identity/identity.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import type { ResourceServices } from '../resource/request-context.ts';

export interface SettingsServices extends ResourceServices {
  config: { developerMode: boolean };
  identity: Pick<Identity, 'newPasswords'>;
}

export const settingsBehaviour: Behaviour<typeof settings, SettingsServices> = {
  resource: settings,
  show: async ({ services, spaceId }) => {
    const { developerMode } = services.config;
    const { rows } = await services.database.query<{ spaceName: string }>(
      'select display_name as "spaceName" from space where space_id = $1',
      [spaceId],
    );
    const { spaceName } = rows[0]!;
    const { newPasswords } = services.identity;
    return {
      version: `${spaceName} ${developerMode} ${newPasswords}`,
      item: { spaceName, developerMode, newPasswords },
    };
  },
};
