// Exposes server settings to the console.

import { settings } from '@yagura/core/space/client-settings';
import type { Behaviour } from '../resource/behaviour.ts';
import type { ResourceServices } from '../resource/request-context.ts';

export interface SettingsServices extends ResourceServices {
  config: { developerMode: boolean };
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
    return { version: `${spaceName} ${developerMode}`, item: { spaceName, developerMode } };
  },
};
