// Passkey button with the only script of the sign-in pages, allowed by its hash.
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { Translate } from '@yagura/core/i18n/translator';
import { html } from './html.ts';

/**
 * The form stays hidden until the browser is known to support passkeys; the script submits the response with
 * it, and the choice to remember the browser, whose checkbox belongs to the form of the code.
 */
export const passkeyScript = `
const form = document.getElementById('passkey-form');
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
const text = (buffer) => buffer && btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '');
if (window.PublicKeyCredential) form.hidden = false;
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const options = JSON.parse(form.dataset.options);
  options.challenge = bytes(options.challenge);
  options.allowCredentials = (options.allowCredentials || []).map((one) => ({ ...one, id: bytes(one.id) }));
  try {
    const { id, rawId, type, response } = await navigator.credentials.get({ publicKey: options });
    const remember = document.querySelector('input[type=checkbox][name=remember]');
    form.elements.remember.value = remember && remember.checked ? remember.value : '';
    form.elements.passkey.value = JSON.stringify({
      id, rawId: text(rawId), type, clientExtensionResults: {},
      response: {
        authenticatorData: text(response.authenticatorData), clientDataJSON: text(response.clientDataJSON),
        signature: text(response.signature), userHandle: text(response.userHandle) || undefined,
      },
    });
    form.submit();
  } catch {
    document.getElementById('passkey-failed').hidden = false;
  }
});
`;

export function passkeyForm(t: Translate, action: string, options: PublicKeyCredentialRequestOptionsJSON) {
  return html`<form method="post" action="${action}" id="passkey-form" data-options="${JSON.stringify(options)}" hidden>
<p class="fault" id="passkey-failed" role="alert" hidden>${t('factor.passkey-failed')}</p>
<input type="hidden" name="passkey" value="">
<input type="hidden" name="remember" value="">
<button type="submit" class="second">${t('factor.use-passkey')}</button>
</form>`;
}
