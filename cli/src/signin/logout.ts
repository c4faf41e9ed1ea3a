import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { assertKnownProfile } from './profiles.ts';

/** `logout`: removes the credential from the profile and revokes a user's tokens at the provider. */
export async function logout(terminal: Terminal): Promise<void> {
  const name = terminal.profile ?? terminal.env.YAGURA_PROFILE;
  const removed = await (await import('./update-profiles.ts')).updateProfiles(terminal, (profiles) => {
    if (name) assertKnownProfile(profiles, name);
    const chosen = name ?? profiles.current;
    const profile = chosen ? profiles.profiles[chosen] : undefined;
    const credential = profile?.credential;
    if (profile) delete profile.credential;
    return credential && chosen ? { chosen, credential } : undefined;
  });
  if (!removed) {
    printMessage(terminal, terminal.t('cli.logout.none'));
    return;
  }
  if (removed.credential.kind === 'person') {
    const { revokeRefreshToken } = await import('./revoke-refresh-token.ts');
    await revokeRefreshToken(terminal, removed.credential);
  }
  printMessage(terminal, terminal.t('cli.logout.done', { profile: removed.chosen }));
}
