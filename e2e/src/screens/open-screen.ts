import type { Event } from '@meetmark/contracts';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { visitAs } from '../support/administrator.js';
import { ApiClient } from '../support/api-client.js';
import { visit, type Visit } from '../support/browser.js';
import { sharedStack } from '../support/shared-stack.js';
import type { Screen, Who } from './screens.js';

/** Opens screens of the running stack one after the other, in one page for each kind of reader. */
export class ScreenOpener {
  private readonly stack = sharedStack();
  private readonly readers = new Map<Who, Visit>();
  private event: Event | undefined;

  constructor(
    private readonly browser: Browser,
    private readonly options: BrowserContextOptions,
  ) {}

  async open(screen: Screen): Promise<Visit> {
    const reader = await this.reader(screen.who);
    await reader.page.goto(screen.path.replace('{event}', await this.eventId()));
    await reader.page.waitForLoadState('networkidle');
    await screen.prepare?.(reader.page);
    return reader;
  }

  private async reader(who: Who): Promise<Visit> {
    const known = this.readers.get(who);
    if (known) return known;
    const { url, member, administrator } = this.stack;
    const reader =
      who === 'visitor'
        ? await visit(this.browser, url, this.options)
        : await visitAs(this.browser, who === 'member' ? member : administrator, this.options);
    // The once-a-session prompt has a story of its own.
    await reader.page.addInitScript(() => sessionStorage.setItem('profile-picture-prompt', 'shown'));
    this.readers.set(who, reader);
    return reader;
  }

  /** The demo event that starts next. */
  private async eventId(): Promise<string> {
    if (!this.event) {
      const { body } = await new ApiClient(this.stack.url).get<Event[]>(
        '/api/events/public?time=upcoming&limit=1',
      );
      this.event = body[0];
    }
    if (!this.event) throw new Error('the demo community has no upcoming event');
    return this.event.id;
  }
}
