import type { Locator } from 'playwright-core';

export async function openOptions(form: Locator, ...parts: string[]): Promise<void> {
  for (const name of ['More options', ...parts]) {
    const heading = form.getByRole('heading', { name, exact: true });
    const isOpen = await heading.evaluate((element) => element.closest('details')!.open);
    if (!isOpen) await heading.click();
  }
}
