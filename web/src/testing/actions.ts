import { type BoundFunctions, fireEvent, type queries, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createElement, type ReactElement } from 'react';
import { Route, Routes } from 'react-router-dom';

/** Fills in the fields with these labels by one event each, because typing would render for each character. */
export function fillFields(
  fields: Record<string, string>,
  { getByLabelText }: Pick<BoundFunctions<typeof queries>, 'getByLabelText'> = screen,
): void {
  for (const [label, value] of Object.entries(fields))
    fireEvent.change(getByLabelText(label), { target: { value } });
}

/** Waits for the button with this name and clicks it. */
export const press = async (name: string | RegExp): Promise<void> =>
  userEvent.click(await screen.findByRole('button', { name }));

/** A screen that reads its parameters from a route. */
export const atRoute = (path: string, element: ReactElement): ReactElement =>
  createElement(Routes, null, createElement(Route, { path, element }));
