import userEvent from '@testing-library/user-event';

/** Pastes text into a field, because typing would render the form for each character. */
export async function enterText(field: Element, text: string): Promise<void> {
  await userEvent.click(field);
  await userEvent.paste(text);
}
