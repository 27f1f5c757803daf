import { jest } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../../testing/fake-api';
import { renderScreen } from '../../../testing/render-screen';
import { anEvent, aUser } from '../../../testing/samples';
import EventFormDialog from './event-form';

const EVENT = anEvent();
const CHANGE = `PUT /api/events/${EVENT.id}`;
const edit = () =>
  renderScreen(<EventFormDialog event={EVENT} close={jest.fn()} />, { user: aUser({ isAdmin: true }) });
const save = () => userEvent.click(screen.getByRole('button', { name: 'Update Event' }));
const noteOf = (label: string) => {
  const id = screen.getByLabelText(label).getAttribute('aria-describedby');
  return id ? document.getElementById(id)?.textContent : null;
};

describe('The event form, refused', () => {
  it('leads to the first field that is wrong, and forgets what is wrong with it when it is changed', async () => {
    const requests = fakeApi({});
    edit();
    await userEvent.clear(screen.getByLabelText('Event Title'));
    await userEvent.clear(screen.getByLabelText('End Time'));
    await save();
    expect(document.activeElement).toBe(screen.getByLabelText('Event Title'));
    expect(noteOf('Event Title')).toBe('Title is required');
    await userEvent.keyboard('A');
    expect(noteOf('Event Title')).toBeNull();
    expect(noteOf('End Time')).toBe('End time is required');
    expect(requests).toEqual([]);
  });

  it('says under End Time, as in the toast, that it is before the start', async () => {
    const requests = fakeApi({});
    const { toasts } = edit();
    fireEvent.change(screen.getByLabelText('End Time'), { target: { value: '01:00' } });
    await save();
    const words = 'End date and time must be after start date and time';
    expect(toasts).toEqual([{ kind: 'error', title: 'Invalid Date Range', description: words }]);
    expect(noteOf('End Time')).toBe(words);
    expect(document.activeElement).toBe(screen.getByLabelText('End Time'));
    expect(requests).toEqual([]);
  });

  it('tells below the field what the server found wrong with it', async () => {
    fakeApi({
      [CHANGE]: () =>
        refusal(400, 'VALIDATION_FAILED', 'Some fields are not valid', {
          fields: { capacity: ['capacity must not be greater than 1000000'] },
        }),
    });
    edit();
    await userEvent.type(screen.getByLabelText('Capacity (optional)'), '2000000');
    await save();
    await waitFor(() => expect(noteOf('Capacity (optional)')).toMatch(/^capacity must not be greater/));
    expect(document.activeElement).toBe(screen.getByLabelText('Capacity (optional)'));
  });

  describe('because somebody else has saved it since', () => {
    const THEIRS = anEvent({ capacity: 60, location: 'Town hall', version: 2 });
    const conflict = () =>
      refusal(409, 'EDIT_CONFLICT', 'This has been changed', {
        present: THEIRS,
        edits: [
          {
            by: 'Grace Hopper',
            own: false,
            at: '2026-11-22T09:00:00.000Z',
            changed: ['location', 'capacity'],
          },
        ],
      });
    const meet = async (handlers: Parameters<typeof fakeApi>[0]) => {
      const requests = fakeApi(handlers);
      const rendered = edit();
      await userEvent.type(screen.getByLabelText('Event Title'), ' for all');
      await userEvent.clear(screen.getByLabelText('Location'));
      await userEvent.type(screen.getByLabelText('Location'), 'Library');
      await save();
      await screen.findByRole('alert', { name: 'Changed while you were editing' });
      return { requests, ...rendered };
    };

    it('says who changed what, keeps what was typed and shows both', async () => {
      const { requests, toasts } = await meet({ [CHANGE]: conflict });
      expect(requests[0]?.body).toMatchObject({ title: `${EVENT.title} for all`, version: 1 });
      screen.getByText(/^Grace Hopper changed location and capacity \(.*Nov 22/);
      const rows = screen.getAllByRole('row').map((row) => row.textContent);
      expect(rows).toEqual(['FieldTheirsYours', 'locationTown hallLibrary', 'capacity60not changed by you']);
      expect(screen.getByLabelText<HTMLInputElement>('Location').value).toBe('Library');
      expect(toasts).toEqual([]);
    });

    it('saves over it only what was changed here', async () => {
      const answers = [conflict, () => ({ body: THEIRS })];
      const { requests } = await meet({ [CHANGE]: () => answers.shift()!() });
      await userEvent.click(screen.getByRole('button', { name: 'Save my changes' }));
      await waitFor(() => expect(requests).toHaveLength(2));
      expect(requests[1]?.body).toEqual({ title: `${EVENT.title} for all`, location: 'Library', version: 2 });
    });

    it('goes on from what the other has saved', async () => {
      const answers = [conflict, () => ({ body: THEIRS })];
      const { requests } = await meet({ [CHANGE]: () => answers.shift()!() });
      await userEvent.click(screen.getByRole('button', { name: 'Use theirs' }));
      expect(screen.queryByRole('alert')).toBeNull();
      expect(screen.getByLabelText<HTMLInputElement>('Location').value).toBe('Town hall');
      await save();
      await waitFor(() => expect(requests).toHaveLength(2));
      expect(requests[1]?.body).toMatchObject({ title: EVENT.title, capacity: 60, version: 2 });
    });
  });

  it('tells beside the fields what can be done when there is no connection', async () => {
    fakeApi({});
    const { toasts } = edit();
    await save();
    await screen.findByText('Check your connection and try again.');
    expect(toasts).toEqual([{ kind: 'error', title: 'Error', description: 'Failed to update event' }]);
  });
});
