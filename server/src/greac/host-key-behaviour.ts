// Host keys that were accepted for destinations; gateways report them.
import { hostKey } from '@yagura/core/greac/host-key';
import type { Behaviour } from '../resource/behaviour.ts';
import { destinationBehaviour } from './destination-behaviour.ts';

export const hostKeyBehaviour: Behaviour<typeof hostKey> = {
  resource: hostKey,
  parent: destinationBehaviour,
};
