import { type BoundFunctions, fireEvent, type queries, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createElement, type ReactElement } from 'react';
import { Route, Routes } from 'react-router-dom';

type Place = BoundFunctions<typeof queries>;

/** Fills in the fields with these labels by one event each, because typing would render for each character. */
export function fillFields(
  fields: Record<string, string>,
  { getByLabelText }: Pick<Place, 'getByLabelText'> = screen,
): void {
  for (const [label, value] of Object.entries(fields))
    fireEvent.change(getByLabelText(label), { target: { value } });
}

/** Waits for the button with this name and clicks it. */
export const press = async (
  name: string | RegExp,
  { findByRole }: Pick<Place, 'findByRole'> = screen,
): Promise<void> => userEvent.click(await findByRole('button', { name }));

/** Waits for the only open dialog and returns its queries. */
export const findDialog = async (name?: string | RegExp): Promise<Place> =>
  within(await screen.findByRole('dialog', { name }));

/** Waits for the section with this name and returns its queries. */
export const findRegion = async (name: string | RegExp): Promise<Place> =>
  within(await screen.findByRole('region', { name }));

export const getField = (label: string | RegExp): HTMLInputElement =>
  screen.getByLabelText<HTMLInputElement>(label);

export const getTexts = (elements: Iterable<Element>): (string | null)[] =>
  Array.from(elements, ({ textContent }) => textContent);

export const getHrefs = (links: Iterable<Element>): (string | null)[] =>
  Array.from(links, (link) => link.getAttribute('href'));

/** A screen that reads its parameters from a route. */
export const atRoute = (path: string, element: ReactElement): ReactElement =>
  createElement(Routes, null, createElement(Route, { path, element }));
