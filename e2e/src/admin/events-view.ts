import type { Event } from '@meetmark/contracts';
import type { Page } from 'playwright-core';
import { rowWith } from '../support/administrator.js';
import { type ApiClient, createdEvent } from '../support/api-client.js';

export const uniqueTitle = (words: string) => `${words} ${Math.random().toString(36).slice(2)}`;

export class EventsView {
  constructor(
    private readonly page: Page,
    readonly api: ApiClient,
  ) {}

  dialog = () => this.page.getByRole('dialog');

  async open(search: string): Promise<void> {
    await this.page.goto(`/admin/events?time=all&q=${encodeURIComponent(search)}`);
    await this.page.getByRole('row').nth(1).or(this.page.getByText('No events found.')).first().waitFor();
  }

  async openEvent(overrides: Parameters<typeof createdEvent>[1] = {}): Promise<Event> {
    const event = await createdEvent(this.api, { title: uniqueTitle('Planned'), ...overrides });
    await this.open(event.title);
    return event;
  }

  act(title: string, action: string): Promise<void> {
    return rowWith(this.page, title)
      .getByRole('button', { name: new RegExp(`^${action}`) })
      .click();
  }

  async choose(title: string, action: string): Promise<void> {
    await this.act(title, 'More');
    await this.page.getByRole('menuitem', { name: action }).click();
    await this.dialog().waitFor();
  }

  async openWorkspace(event: Pick<Event, 'id' | 'title'>, part = ''): Promise<void> {
    await this.page.goto(`/admin/events/${event.id}/${part}`);
    await this.page.getByRole('heading', { level: 1, name: event.title }).waitFor();
  }

  async fillTimes(start: [string, string], end: [string, string]): Promise<void> {
    await this.dialog().getByLabel('Start Date').fill(start[0]);
    await this.dialog().getByLabel('Start Time').fill(start[1]);
    await this.dialog().getByLabel('End Date').fill(end[0]);
    await this.dialog().getByLabel('End Time').fill(end[1]);
  }
}
