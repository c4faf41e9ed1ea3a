import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { Panel } from '../../../ui/page/panel.tsx';
import { renderInRouter } from '../../../ui/test/render.tsx';
import { ResetButton } from './reset-button.tsx';

it('leaves the focus to its panel when there is nothing to reset any more', async () => {
  let setRaised: (raised: boolean) => void;
  function Severities() {
    const [isRaised, change] = useState(true);
    setRaised = change;
    return <Panel title="Severities by name">{isRaised && <ResetButton name={null} />}</Panel>;
  }
  await renderInRouter(<Severities />);
  screen.getByRole('button', { name: 'Reset: Severities' }).focus();
  await act(async () => setRaised(false));
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Severities by name' }));
});
