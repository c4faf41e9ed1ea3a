// Receive slots made from recipes, on a test server.
import { createFromRecipe, type RecipeResult } from '@yagura/core/alerthub/recipes/create-from-recipe';
import { findRecipe } from '@yagura/core/alerthub/recipes/recipes';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { createApiCall } from './api-request.ts';
import type { TestServer } from './test-server.ts';

const api = '/api/apps/alerthub';

export interface RecipeSlots {
  /** Creates a slot from the recipe with this name; its rules belong to a scope of the same name as the slot. */
  create(recipe: string, displayName?: string, scope?: string): Promise<RecipeResult>;
  /** Statuses of the severities of a scope that are not normal, by name. */
  statusesOf(scopeId: string): Promise<Record<string, string>>;
  /** Values of the severities of a scope, by name. */
  valuesOf(scopeId: string): Promise<Record<string, number>>;
  /** Messages of a slot, newest first. */
  messagesOf(receiveSlotId: string): Promise<{ messageId: string; summary: string }[]>;
  /** The body of a message, as rules read it. */
  dataOf(messageId: string): Promise<unknown>;
  /** Outcomes of the rules for a message. */
  outcomesOf(messageId: string): Promise<string[]>;
}

export async function createRecipeSlots(server: TestServer): Promise<RecipeSlots> {
  const transport = server.transportAs('privileged');
  const callApi = createApiCall(transport);
  const t = await loadTranslator('en');
  const list = async <T>(path: string): Promise<T[]> =>
    ((await callApi('GET', `${api}/${path}`)).data as { items: T[] }).items;
  const severitiesOf = (scopeId: string) =>
    list<{ name: string; status: string; value: number }>(`scopes/${scopeId}/severities?limit=100`);
  return {
    create: (recipe, displayName = recipe, scope = displayName) =>
      createFromRecipe(transport, findRecipe(recipe)!, { displayName, scope: { displayName: scope } }, { t }),
    async statusesOf(scopeId) {
      const severities = (await severitiesOf(scopeId)).filter(({ status }) => status !== 'normal');
      return Object.fromEntries(severities.map(({ name, status }) => [name, status]));
    },
    async valuesOf(scopeId) {
      return Object.fromEntries((await severitiesOf(scopeId)).map(({ name, value }) => [name, value]));
    },
    messagesOf: (receiveSlotId) =>
      list(`message/list?limit=100&filter=${encodeURIComponent(`receiveSlotId eq "${receiveSlotId}"`)}`),
    async dataOf(messageId) {
      const { data } = await callApi('GET', `${api}/message/detail/${messageId}`);
      return (data as { content: { data: unknown } }).content.data;
    },
    async outcomesOf(messageId) {
      const records = await list<{ outcome: string }>(`message/detail/${messageId}/rule-records`);
      return records.map(({ outcome }) => outcome);
    },
  };
}
