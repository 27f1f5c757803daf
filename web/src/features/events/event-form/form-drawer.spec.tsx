import { jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { getField, press } from '../../../testing/actions';
import { CrashingForm, crashForm } from '../../../testing/crashing-form';
import { renderScreen } from '../../../testing/render-screen';
import { aUser } from '../../../testing/samples';
import { FormDrawer } from './form-drawer';

describe('The form drawer', () => {
  it('keeps the typed values when the form crashes', async () => {
    jest.spyOn(console, 'error').mockReturnValue();
    renderScreen(
      <FormDrawer title="Edit Event" close={jest.fn()} discarded={jest.fn()}>
        {() => <CrashingForm />}
      </FormDrawer>,
      { user: aUser() },
    );
    crashForm('Attribution breakfast');
    await press('Try again');
    expect(getField('Title').value).toBe('Attribution breakfast');
    screen.getByRole('heading', { name: 'Edit Event' });
  });
});
