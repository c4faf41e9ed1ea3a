// Whether developer tools are shown: to everyone by the server's settings, or in this browser.
import { settings } from '@yagura/core/space/client-settings';
import type { Api } from '../../signin/api.server.ts';
import { isDeveloperMode } from './developer-mode.ts';

export type DeveloperMode = 'off' | 'browser' | 'server';

interface ClientSettings {
  /** Null if the settings could not be fetched. */
  spaceName: string | null;
  developerMode: DeveloperMode;
}

export async function getClientSettings(api: Api, request: Request): Promise<ClientSettings> {
  const own = isDeveloperMode(request.headers.get('cookie')) ? 'browser' : 'off';
  try {
    const { spaceName, developerMode } = await api.client(settings).show();
    return { spaceName, developerMode: developerMode ? 'server' : own };
  } catch {
    return { spaceName: null, developerMode: own };
  }
}
