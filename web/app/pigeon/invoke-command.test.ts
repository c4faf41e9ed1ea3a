import { expect, test } from 'vitest';
import { curlCommand, yaguraCommand } from './invoke-command.ts';

const call = { callflowId: 'c1', guidanceId: 'g1', parameters: { host: "it's $HOME; `x`" } };

test('a command keeps what a shell would change, and holds no token', () => {
  expect(
    curlCommand('https://yagura.example.com', call),
  ).toBe(`curl --fail-with-body -X POST https://yagura.example.com/api/apps/pigeon/chain/invoke \\
  -H "X-Authorization: Token $YAGURA_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"params":{"callflowId":"c1","guidanceId":"g1","parameters":{"host":"it'\\''s $HOME; \`x\`"}}}'`);
  expect(
    yaguraCommand(call, { callflow: '夜間 当番', guidance: 'alert' }),
  ).toBe(`yagura call '夜間 当番' --guidance alert \\
  --param 'host=it'\\''s $HOME; \`x\`' \\
  --wait`);
});
