// The mock phone, for developers: only where the server is in developer mode.
import { Problem } from '@yagura/core/http/problem';
import { mockPhone } from '@yagura/core/pigeon/mock-phone';
import { type Behaviour, RawReply } from '../../resource/behaviour.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';
import { sampleRate } from '../media/media-session.ts';
import type { MockPhone } from '../mock-phone/mock-phone.ts';
import { writeWav } from '../voice/wav.ts';

interface MockPhoneServices extends ResourceServices {
  config: { developerMode: boolean };
  /** Null if none is configured. */
  mockPhone: MockPhone | null;
}
type Context = RequestContext<MockPhoneServices>;

const callNotFound = ({ t }: Context) => new Problem('not-found', { detail: t('refusal.no-mock-call') });

/** Null if none is configured. Throws outside developer mode. */
function findPhone({ services, t }: Context): MockPhone | null {
  if (!services.config.developerMode)
    throw new Problem('forbidden', { detail: t('pigeon.phone.no-developer-mode') });
  return services.mockPhone;
}

function requirePhone(context: Context): MockPhone {
  const phone = findPhone(context);
  if (!phone) throw new Problem('not-possible', { detail: context.t('pigeon.phone.none') });
  return phone;
}

export const mockPhoneBehaviour: Behaviour<typeof mockPhone, MockPhoneServices> = {
  resource: mockPhone,
  async show(context) {
    const item = findPhone(context)?.status(context.spaceId) ?? {
      address: null,
      problem: null,
      calls: [],
      scripts: [],
    };
    return { version: '', item };
  },
  calls: {
    async act(context, { mockCallId, action, key }) {
      const call = await requirePhone(context).act(context.spaceId, mockCallId, { action, key });
      if (call === undefined) throw callNotFound(context);
      if (call === null) throw new Problem('not-possible', { detail: context.t('pigeon.phone.not-now') });
      return call;
    },
    async 'set-scripts'(context, { scripts }) {
      requirePhone(context).setScripts(context.spaceId, scripts);
      return { scripts };
    },
    async heard(context, { mockCallId }) {
      const samples = await requirePhone(context).heard(context.spaceId, mockCallId);
      if (!samples) throw callNotFound(context);
      return new RawReply(writeWav({ rate: sampleRate, samples }), {
        'content-type': 'audio/wav',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
    },
  },
};
