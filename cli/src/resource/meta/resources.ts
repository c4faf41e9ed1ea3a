// Metadata of every resource without its schemas. The bundle contains the precomputed result.
import { resources as descriptors } from '@yagura/core/all';
import { type ResourceMeta, resourceMeta } from '@yagura/core/resource/resource-meta';

export const resources: readonly ResourceMeta[] = descriptors.map(resourceMeta);
