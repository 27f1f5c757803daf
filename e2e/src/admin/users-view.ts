import type { Page } from 'playwright-core';
import { rowWith } from '../support/administrator.js';
import { newcomer, signedUp } from '../support/api-client.js';
import { sharedStack } from '../support/shared-stack.js';

export class UsersView {
  constructor(private readonly page: Page) {}

  dialog = () => this.page.getByRole('dialog');

  async open(search = ''): Promise<void> {
    await this.page.goto(`/admin/users${search && `?q=${encodeURIComponent(search)}`}`);
    await this.page.getByRole('row').nth(1).or(this.page.getByText('No users found.')).first().waitFor();
  }

  act(name: string, action: string): Promise<void> {
    return rowWith(this.page, name)
      .getByRole('button', { name: new RegExp(`^${action}:`) })
      .click();
  }

  async choose(name: string, action: string): Promise<void> {
    await this.act(name, 'More');
    await this.page.getByRole('menuitem', { name: action }).click();
  }

  async actAfterAsking(name: string, action: string): Promise<void> {
    await this.act(name, action);
    await this.dialog().getByRole('button', { name: action }).click();
    await this.dialog().waitFor({ state: 'detached' });
  }

  async openSomeone(firstName: string) {
    const someone = newcomer(firstName, `S${Math.random().toString(36).slice(2)}`);
    const { user } = await signedUp(sharedStack().url, someone);
    await this.open(someone.lastName);
    return { ...someone, id: user.id };
  }
}
