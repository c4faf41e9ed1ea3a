// Choices that the lists of the home page can show, for the translations that every page loads.
import { itemFields } from '@yagura/core/resource/define-resource';
import { homeColumns } from '../app/home/home-columns.ts';
import { homeResources } from '../app/home/home-resources.server.ts';

export const homeChoices: string[] = Object.entries(homeResources).flatMap(([list, resource]) => {
  const fields = itemFields(resource);
  return homeColumns[list as keyof typeof homeColumns].flatMap((name) => {
    const { options = [], nullChoice } = fields[name]!;
    return nullChoice === undefined ? options : [...options, nullChoice];
  });
});
