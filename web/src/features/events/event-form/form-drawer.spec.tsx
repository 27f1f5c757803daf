import { jest } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderScreen } from '../../../testing/render-screen';
import { aUser } from '../../../testing/samples';
import { useForm } from '../../../ui/use-form';
import { Field } from '../../../ui/field';
import { FormDrawer } from './form-drawer';

describe('The form drawer', () => {
  function Form() {
    const { bind, fields } = useForm({ title: '', note: '' });
    if (fields.note === 'crash') throw new RangeError('Invalid time value');
    return (
      <>
        <Field label="Title" {...bind('title')} />
        <Field label="Note" {...bind('note')} />
      </>
    );
  }

  it('keeps the typed values when the form crashes', async () => {
    jest.spyOn(console, 'error').mockReturnValue();
    renderScreen(
      <FormDrawer title="Edit Event" close={jest.fn()} discarded={jest.fn()}>
        {() => <Form />}
      </FormDrawer>,
      { user: aUser() },
    );
    const type = (label: string, value: string) =>
      fireEvent.change(screen.getByLabelText(label), { target: { value } });
    type('Title', 'Attribution breakfast');
    type('Note', 'crash');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Attribution breakfast');
    screen.getByRole('heading', { name: 'Edit Event' });
  });
});
