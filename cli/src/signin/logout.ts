import { say, type Terminal } from '../term/terminal.ts';

/** `logout`: forgets the credential of the profile, and tells the provider that a person's tokens are done with. */
export async function logout(terminal: Terminal): Promise<void> {
  const name = terminal.profile ?? terminal.env.YAGURA_PROFILE;
  const gone = await (await import('./keep-profiles.ts')).keepProfiles(terminal.env, (profiles) => {
    const chosen = name ?? profiles.current;
    const profile = chosen ? profiles.profiles[chosen] : undefined;
    const credential = profile?.credential;
    if (profile) delete profile.credential;
    return credential && chosen ? { chosen, credential } : undefined;
  });
  if (!gone) {
    say(terminal, terminal.t('cli.logout.none'));
    return;
  }
  if (gone.credential.kind === 'person') {
    const { revokeRefreshToken } = await import('./revoke-refresh-token.ts');
    await revokeRefreshToken(gone.credential);
  }
  say(terminal, terminal.t('cli.logout.done', { profile: gone.chosen }));
}
