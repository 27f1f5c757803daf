import { jest } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { useState } from 'react';
import { getField, press } from '../testing/actions';
import { CrashingForm, crashForm } from '../testing/crashing-form';
import { CodeField } from './code-field';
import { DateField } from './date-field';
import { Dialog } from './dialog';
import { dateError, toTimestamp } from './date-input';
import { ErrorBoundary } from './error-boundary';
import { readNumber, writeNumber } from './numbers';

function speak(page: string, browser: string) {
  document.documentElement.lang = page;
  jest.spyOn(navigator, 'language', 'get').mockReturnValue(browser);
}

describe('A number field', () => {
  it.each([
    ['en', 'en-US', '12.50', '12.50'],
    ['en', 'en-US', '12,50', '12.50'],
    ['en', 'en-US', '1,250', '1250'],
    ['en', 'en-US', ' １２５０ ', '1250'],
    ['de', 'de-DE', '12,50', '12.50'],
    ['de', 'de-DE', '12.50', '12.50'],
    ['de', 'de-DE', '1.250', '1250'],
    ['de', 'de-DE', '1.250,50', '1250.50'],
    ['de', 'en-US', '1.250,50', '1250.50'],
    ['fr', 'fr-FR', '1 250,50', '1250.50'],
    ['fr', 'fr-FR', '1\u202F250,50', '1250.50'],
    ['en', 'de-CH', '1’250.50', '1250.50'],
    ['en', 'hi-IN', '1,00,000', '100000'],
    ['en', 'ar-EG', '١٢٫٥', '12.5'],
    ['en', 'en-US@posix', '12.50', '12.50'],
    ['en', 'en-US', '', ''],
  ])('with the page in %s and the browser in %s, reads %j as %j', (page, browser, typed, number) => {
    speak(page, browser);
    expect(readNumber(typed)).toBe(number);
  });

  it.each([
    ['en', 'de-DE', '1.250'],
    ['de', 'en-US', '1,250'],
    ['en', 'en-US', '12,5000'],
    ['en', 'en-US', '1.2.3'],
    ['en', 'en-US', '12 50'],
    ['en', 'en-US', '12.'],
  ])('with the page in %s and the browser in %s, refuses the unclear number %j', (page, browser, typed) => {
    speak(page, browser);
    expect(readNumber(typed)).toBeNull();
  });

  it.each(['-1', '1e3', 'twelve', '.5'])('returns %j unchanged, so that the form refuses it', (typed) => {
    expect(readNumber(typed)).toBe(typed);
  });

  it('formats a number in the language of the page', () => {
    speak('de', 'en-US');
    expect(writeNumber('1250.50')).toBe('1250,50');
    expect(readNumber('1250,50')).toBe('1250.50');
  });
});

describe('A code field', () => {
  function Code() {
    const [code, setCode] = useState('');
    return <CodeField label="Code" value={code} onChange={setCode} />;
  }

  it.each([
    ' 493707',
    '493 707',
    '493-707',
    '４９３７０７',
    '493\u00A0707\n',
    'Your code: 493707.',
    '4937071',
  ])('keeps only six digits of the pasted text %j', async (pasted) => {
    render(<Code />);
    const field = screen.getByLabelText<HTMLInputElement>('Code');
    field.focus();
    await userEvent.paste(pasted);
    expect(field.value).toBe('493707');
  });
});

describe('A date field', () => {
  const ZONE = 'Europe/London';
  const RANGE = 'Fill in the whole date, with a year from 1900 to 2999';

  it.each(['20271-01-15', '0202-01-15', '3000-01-01', '2027-02', 'incomplete', '20271-01-15T09:00'])(
    'refuses %j and converts it to an empty timestamp',
    (input) => {
      expect(dateError(input)).toBe(RANGE);
      expect(toTimestamp(`${input.split('T')[0]!}T09:00`, ZONE)).toBe('');
    },
  );

  it.each(['1900-01-01', '2999-12-31', '2027-07-15T09:00'])('accepts %j', (input) => {
    expect(dateError(input)).toBeUndefined();
  });

  it('converts local time in a zone to UTC', () => {
    expect(toTimestamp('2027-07-15T09:00', ZONE)).toBe('2027-07-15T08:00:00.000Z');
    expect(toTimestamp('2027-07-15T', ZONE)).toBe('');
  });

  it('limits years to four digits and reports incomplete dates', () => {
    const typed: string[] = [];
    function Form() {
      const [date, setDate] = useState('');
      const change = (value: string) => {
        typed.push(value);
        setDate(value);
      };
      return <DateField label="Day" type="date" value={date} onChange={change} />;
    }
    render(<Form />);
    const field = screen.getByLabelText<HTMLInputElement>('Day');
    expect([field.min, field.max]).toEqual(['1900-01-01', '2999-12-31']);
    const validity = jest.spyOn(field, 'validity', 'get');
    validity.mockReturnValue({ badInput: true } as ValidityState);
    fireEvent.blur(field);
    validity.mockReturnValue({ badInput: false } as ValidityState);
    fireEvent.blur(field);
    fireEvent.blur(field);
    expect(typed).toEqual(['incomplete', '']);
    expect(dateError('incomplete')).toBe(RANGE);
  });
});

describe('A form that crashes', () => {
  const page = (key: string) => (
    <>
      <h1>Events</h1>
      <ErrorBoundary resetBy={key}>
        <CrashingForm key={key} />
      </ErrorBoundary>
    </>
  );
  beforeEach(() => void jest.spyOn(console, 'error').mockReturnValue());

  it('shows an error message and restores the values from before the crash', async () => {
    const { rerender } = render(page('first'));
    crashForm('Attribution breakfast');
    screen.getByText('Something went wrong on this page');
    screen.getByRole('heading', { name: 'Events' });
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Try again' }));
    await press('Try again');
    expect([getField('Title').value, getField('Note').value]).toEqual(['Attribution breakfast', '']);
    rerender(page('second'));
    expect(getField('Title').value).toBe('');
  });

  it('keeps its dialog open with the values from before the crash', async () => {
    render(
      <Dialog title="Propose an event" close={jest.fn()}>
        {() => <CrashingForm />}
      </Dialog>,
    );
    crashForm('Attribution breakfast');
    await press('Try again');
    expect(getField('Title').value).toBe('Attribution breakfast');
    screen.getByRole('dialog', { name: 'Propose an event' });
  });
});

describe('Error-prone fields', () => {
  const sources = fileURLToPath(new URL('..', import.meta.url));
  const filesWith = (text: RegExp) =>
    readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.spec)\.tsx?$/.test(file))
      .filter((file) => text.test(readFileSync(path.join(sources, file), 'utf8')));

  it.each([
    ['an emailed code', /one-time-code/, ['ui/code-field.tsx']],
    ['a date', /<(?:Field|input)\b[^>]*type="date/, []],
    ['a number', /type="number"|\bInputNumber\b/, []],
  ])('use only the shared component for %s', (_what, text, files) => {
    expect(filesWith(text)).toEqual(files);
  });
});
