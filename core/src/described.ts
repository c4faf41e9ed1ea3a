// Every resource whose descriptor is written, also those that no server answers yet.
import { all } from './all.ts';
import { ksocketSlot, ksocketToken } from './ksocket/ksocket-slot.ts';
import type { AnyResource } from './resource/define-resource.ts';

export const described: readonly AnyResource[] = [...all, ksocketSlot, ksocketToken];
