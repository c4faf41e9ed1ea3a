// Recipes: each turns the messages of its sender into the expected severities, however often they arrive, and a
// recipe that cannot be completed leaves nothing behind.
import { createFromRecipe } from '@yagura/core/alerthub/recipes/create-from-recipe';
import { findRecipe, recipes } from '@yagura/core/alerthub/recipes/recipes';
import type { Transport } from '@yagura/core/http/transport';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import type { SenderMessage } from '@yagura/fixtures/senders/sender-message';
import { senders } from '@yagura/fixtures/senders/senders';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { post } from '../support/post.ts';
import { createRecipeSlots, type RecipeSlots } from '../support/recipe-slots.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const api = '/api/apps/alerthub';
const t = await loadTranslator('en');

describe('recipes', () => {
  let server: TestServer;
  let transport: Transport;
  let callApi: ApiCall;
  let slots: RecipeSlots;
  beforeAll(async () => {
    server = (await startTestServer())!;
    transport = server.transportAs('privileged');
    callApi = createApiCall(transport);
    slots = await createRecipeSlots(server);
  });
  afterAll(() => server.stop());

  async function send(address: string, { body, contentType }: SenderMessage): Promise<void> {
    const reply = await (address.includes('@')
      ? sendMail(address, body as { subject: string; text: string })
      : post(
          address,
          typeof body === 'string' ? body : JSON.stringify(body),
          contentType ? { 'content-type': contentType } : {},
        ));
    expect(reply.status, await reply.clone().text()).toBe(202);
    await server.settled();
  }

  function sendMail(address: string, { subject, text }: { subject: string; text: string }) {
    const mail = `From: monitor@example.com\r\nTo: ${address}\r\nSubject: ${subject}\r\n\r\n${text}`;
    return post(`${server.origin}/receive/mail/${encodeURIComponent(address)}`, mail, {
      'content-type': 'message/rfc822',
    });
  }

  const countOf = async (path: string) =>
    ((await callApi('GET', `${api}/${path}`)).data as { total: number }).total;

  test('there are messages for every recipe', () => {
    expect(senders.map(({ recipe }) => recipe)).toEqual(recipes.map(({ name }) => name));
  });

  test.each(senders)('$recipe', async ({ recipe, messages }) => {
    const { slot, scope, snippet } = await slots.create(recipe, recipe);
    expect(snippet).toContain(slot.primary);
    expect(snippet).not.toMatch(/\{\{(url|mailAddress)\}\}/);
    for (const message of messages) {
      for (const attempt of ['first', 'repeated']) {
        await send(slot.primary, message);
        expect(await slots.statusesOf(scope.scopeId), `${message.event}, ${attempt}`).toEqual(
          message.expected,
        );
      }
    }
    for (const { messageId } of await slots.messagesOf(slot.receiveSlotId)) {
      expect(await slots.outcomesOf(messageId)).not.toContain('failed');
    }
  });

  test('the rules use the thresholds of an existing scope', async () => {
    const thresholds = { warning: 3, incident: 7 };
    const made = await callApi('POST', `${api}/scopes`, { displayName: 'existing', thresholds });
    const { scopeId } = made.data as { scopeId: string };
    const request = { displayName: 'to existing', scope: { scopeId } };
    const { slot } = await createFromRecipe(transport, findRecipe('anything')!, request, { t });
    await post(slot.primary, '{"name":"a","status":"warning"}');
    await post(slot.primary, '{"name":"b","status":"incident"}');
    await server.settled();
    const { data } = await callApi('GET', `${api}/scopes/${scopeId}/severities`);
    expect(data).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({ name: 'a', value: 3 }),
        expect.objectContaining({ name: 'b', value: 7 }),
      ]),
    });
  });

  test('a rule that cannot be created leaves nothing behind', async () => {
    const { slot } = await slots.create('anything', 'first');
    const rule = { displayName: 'second Incident', receiveSlotId: slot.receiveSlotId };
    expect((await callApi('POST', `${api}/rules`, rule)).status).toBe(201);
    const before = await Promise.all(['receive-slots', 'scopes', 'rules'].map(countOf));
    await expect(slots.create('anything', 'second')).rejects.toMatchObject({
      kind: 'conflict',
      detail: expect.stringContaining('Nothing was created.'),
    });
    expect(await Promise.all(['receive-slots', 'scopes', 'rules'].map(countOf))).toEqual(before);
  });

  test('rules of a slot with a long name are named after its beginning and its end', async () => {
    const { slot } = await slots.create('alertmanager', `first ${'x'.repeat(19)} last`, 'long');
    const { data } = await callApi('GET', `${api}/rules?limit=100`);
    const { items } = data as { items: { displayName: string; receiveSlotId: string }[] };
    const names = items.filter(({ receiveSlotId }) => receiveSlotId === slot.receiveSlotId);
    expect(names.map(({ displayName }) => displayName).sort()).toEqual([
      `first ${'x'.repeat(5)}…${'x'.repeat(5)} last Warning`,
      `first ${'x'.repeat(5)}…${'x'.repeat(6)} last Normal`,
      `first ${'x'.repeat(4)}…${'x'.repeat(5)} last Incident`,
    ]);
  });
});
