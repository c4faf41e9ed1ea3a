import { fireEvent, screen } from '@testing-library/react';
import type { Recurrence } from '@yagura/core/schedule/schedule';
import { describe, expect, it, vi } from 'vitest';
import { SeverityHistoryChart } from '../../alerthub/severity/severity-curve.tsx';
import { ContributionGrid } from '../chart/contribution-grid.tsx';
import { controlProps } from '../field/field-frame.tsx';
import { InlineEdit } from '../form/inline-edit.tsx';
import { ConfirmByName } from '../overlay/confirm-by-name.tsx';
import { formDataOf, renderInRouter } from '../test/render.tsx';
import { DateTimeInput } from './date-time-input.tsx';
import { ScheduleEditor } from './schedule-editor.tsx';
import { TextListInput } from './text-list-input.tsx';
import { TimeZoneInput } from './time-zone-input.tsx';
import { WeekdayGroup } from './weekday-group.tsx';

const frame = (name: string) => ({ name, label: name, required: true });
const entries = (container: HTMLElement) => [...formDataOf(container)].filter(([name]) => name !== '');

describe('TextListInput', () => {
  const list = (value: string[], limits = {}) => (
    <form>
      <TextListInput frame={frame('ports')} value={value} limits={limits} />
    </form>
  );

  it('posts its items, drops blank ones on leaving and merges what is pasted', async () => {
    const { user, container } = await renderInRouter(list(['22']));
    const input = screen.getByRole<HTMLInputElement>('textbox');
    await user.type(input, ', ,80');
    await user.tab();
    expect(input.value).toBe('22,80');
    fireEvent.paste(input, { clipboardData: { getData: () => '80\n443,22' } });
    expect(input.value).toBe('22,80,443');
    expect(entries(container)).toEqual([
      ['ports.$list', ''],
      ['ports.0', '22'],
      ['ports.1', '80'],
      ['ports.2', '443'],
    ]);
  });

  it('names every wrong item and holds the form back', async () => {
    await renderInRouter(list(['22', 'http'], { pattern: '^[0-9]+$' }));
    expect(screen.getByRole('listitem').textContent).toContain('Item 2: http');
    expect(screen.getByRole<HTMLInputElement>('textbox').validity.valid).toBe(false);
  });
});

describe('WeekdayGroup', () => {
  it('posts the days in their order and wants at least one', async () => {
    const { user, container } = await renderInRouter(
      <form>
        <WeekdayGroup frame={frame('weekDay')} value={['friday']} />
      </form>,
    );
    await user.click(screen.getByRole('checkbox', { name: 'Monday' }));
    expect(entries(container)).toEqual([
      ['weekDay.$list', ''],
      ['weekDay.0', 'monday'],
      ['weekDay.1', 'friday'],
    ]);
    await user.click(screen.getByRole('checkbox', { name: 'Monday' }));
    await user.click(screen.getByRole('checkbox', { name: 'Friday' }));
    expect(screen.getByText('Select at least one day of the week')).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Monday' }).validity.valid).toBe(false);
  });
});

describe('TimeZoneSelect', () => {
  it('refuses what is no zone, and hears of zones and offsets', async () => {
    const heard = vi.fn();
    const { user } = await renderInRouter(
      <TimeZoneInput control={controlProps(frame('zone'))} value="" required onChange={heard} />,
    );
    const input = screen.getByRole<HTMLInputElement>('combobox');
    expect(input.value).toBe('Asia/Tokyo');
    await user.clear(input);
    await user.type(input, 'Asia/Toky');
    expect(input.validity.valid).toBe(false);
    await user.type(input, 'o');
    expect(input.validity.valid).toBe(true);
    expect(heard).toHaveBeenLastCalledWith('Asia/Tokyo');
    await user.clear(input);
    await user.type(input, 'UTC+9');
    expect(heard).toHaveBeenLastCalledWith('UTC+9');
  });

  it('offers UTC-12 to UTC+14 only where that is asked', async () => {
    await renderInRouter(
      <TimeZoneInput control={controlProps(frame('zone'))} value="UTC+9" required utcOnly />,
    );
    const options = screen.getAllByRole('option').map((option) => option.textContent);
    expect(options).toHaveLength(27);
    expect([options[0], options.at(-1)]).toEqual(['UTC-12', 'UTC+14']);
  });
});

describe('ScheduleEditor', () => {
  const recurrence = {
    frequency: 'week',
    hour: 9,
    minute: 30,
    timeZone: 'Asia/Tokyo',
    weekDay: 'monday',
  } as const;

  it('says when it runs, in words and in what it posts', async () => {
    const { user, container } = await renderInRouter(
      <form>
        <ScheduleEditor value={{ recurrence }} />
      </form>,
    );
    expect(screen.getByText('Every Monday at 09:30 (Asia/Tokyo)')).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: 'Friday' }));
    expect(JSON.parse(String(formDataOf(container).get('recurrence.$json')))).toEqual({
      ...recurrence,
      weekDay: ['monday', 'friday'],
    });
    await user.selectOptions(screen.getByLabelText('Frequency'), 'oneshot');
    expect(screen.getByRole('status').textContent).toBe('Enter the time as yyyy/MM/dd HH:mm');
    await user.type(screen.getByRole('textbox'), '2027/01/02 03:04');
    expect(formDataOf(container).get('oneshot.$json')).toBe('"2027-01-01T18:04:00.000Z"');
    expect(formDataOf(container).get('recurrence.$json')).toBe('null');
  });
});

describe('the time of a schedule', () => {
  const daily = { frequency: 'day', hour: 9, minute: 30, timeZone: 'Asia/Tokyo' } as const;
  const weekly = { ...daily, frequency: 'week', weekDay: ['friday', 'sunday'] } as const;
  const monthly = (day: number) => ({ ...daily, frequency: 'month', day }) as const;
  const typed = async (recurrence: Recurrence, time: string) => {
    const { user, container } = await renderInRouter(
      <form>
        <ScheduleEditor value={{ recurrence }} />
      </form>,
    );
    const input = screen.getByLabelText('Time');
    await user.clear(input);
    await user.type(input, time);
    return JSON.parse(String(formDataOf(container).get('recurrence.$json'))) as Recurrence;
  };

  it.each<[string, Recurrence, Partial<Recurrence>]>([
    ['7:05', daily, { hour: 7, minute: 5 }],
    ['23:59', daily, { hour: 23, minute: 59 }],
    ['23:00:00', daily, { hour: 23, minute: 0 }],
    ['24:00', daily, { hour: 0, minute: 0 }],
    ['24:00:00', weekly, { hour: 0, minute: 0, weekDay: ['monday', 'saturday'] }],
    ['24:00', monthly(27), { hour: 0, minute: 0, day: 28 }],
    ['24:00', monthly(31), { hour: 0, minute: 0, day: 1 }],
  ])('%j in %j', async (time, recurrence, part) => {
    expect(await typed(recurrence, time)).toEqual({ ...recurrence, ...part });
    expect(screen.getByRole('status').textContent).toMatch(/^Every /);
  });

  it.each<[string, Recurrence]>([
    ['9', daily],
    ['24:01', daily],
    ['25:00', daily],
    ['09:60', daily],
    ['09:00:30', daily],
    ['24:00', monthly(30)],
  ])('refuses %j in %j', async (time, recurrence) => {
    expect(await typed(recurrence, time)).toMatchObject({ hour: null, minute: null });
    expect(screen.getByRole('status').textContent).toBe(
      'Enter a time in the form HH:MM or HH:MM:SS, for example 23:00',
    );
  });
});

it('the date-time field is as wide as specified', async () => {
  await renderInRouter(<DateTimeInput control={controlProps(frame('at'))} value="" required />);
  const widths = screen.getByRole('textbox').closest('div')!.classList;
  expect([...widths].filter((name) => /(^|:)w-/.test(name))).toEqual(['w-[290px]', 'md:w-150']);
});

describe('ConfirmByName', () => {
  it('stays off until the name is typed', async () => {
    const done = vi.fn();
    const { user } = await renderInRouter(
      <ConfirmByName open title="Cancel" name="東京 DC1" onConfirm={done} onCancel={() => {}} />,
    );
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' });
    expect(button.disabled).toBe(true);
    await user.type(screen.getByRole('textbox'), '東京 DC');
    expect(button.disabled).toBe(true);
    await user.type(screen.getByRole('textbox'), '１');
    await user.click(button);
    expect(done).toHaveBeenCalledOnce();
  });
});

describe('InlineEdit', () => {
  it('stays open with the reason of a refusal and closes once saved', async () => {
    const save = vi.fn(async (text: string) => (text === '' ? 'Empty' : undefined));
    const { user } = await renderInRouter(<InlineEdit label="Name" value="Alpha" onSave={save} />);
    await user.click(screen.getByRole('button', { name: 'Edit: Name' }));
    const input = screen.getByRole('textbox');
    await user.clear(input);
    await user.keyboard('{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('Empty');
    await user.type(input, 'Beta{Enter}');
    expect(save).toHaveBeenLastCalledWith('Beta');
    expect(document.querySelector('dialog')!.open).toBe(false);
  });
});

describe('pictures of numbers', () => {
  it('say in cells and rows what they draw', async () => {
    await renderInRouter(
      <>
        <ContributionGrid
          caption="Messages"
          days={[
            { date: '2026-11-19', count: 0 },
            { date: '2026-11-20', count: 5 },
          ]}
          hrefOf={(date) => `/messages?day=${date}`}
        />
        <SeverityHistoryChart
          caption="Severity"
          thresholds={{ warning: 1, incident: 3 }}
          points={[
            { at: '2026-11-20T00:00:00Z', value: 0 },
            { at: '2026-11-20T01:00:00Z', value: 4 },
          ]}
        />
      </>,
    );
    expect(screen.getByRole('link', { name: /: 5$/ }).getAttribute('href')).toBe('/messages?day=2026-11-20');
    expect(screen.getByText(/: 0$/)).toBeTruthy();
    const curve = screen.getByRole('img', { name: 'Severity' });
    expect(curve.querySelector('path')!.getAttribute('d')).toMatch(/^M0 160H640V/);
    expect(screen.getByRole('table', { name: 'Severity', hidden: true }).textContent).toContain('4');
  });
});
