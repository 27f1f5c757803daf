import type { Event } from '@meetmark/contracts';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { visitAs } from '../support/administrator.js';
import { ApiClient } from '../support/api-client.js';
import { visit, type Visit } from '../support/browser.js';
import { sharedStack } from '../support/shared-stack.js';
import type { Screen, Who } from './screens.js';

/** Opens screens of the running stack one after the other; each in a fresh browser context. */
export class ScreenOpener {
  private readonly stack = sharedStack();
  private event: Event | undefined;

  constructor(private readonly browser: Browser) {}

  async open(screen: Screen, options: BrowserContextOptions): Promise<Visit> {
    const visitor = await this.enter(screen.who, options);
    // The once-a-session prompt has a story of its own.
    await visitor.page.addInitScript(() => sessionStorage.setItem('profile-picture-prompt', 'shown'));
    await visitor.page.goto(screen.path.replace('{event}', await this.eventId()));
    await visitor.page.waitForLoadState('networkidle');
    await screen.prepare?.(visitor.page);
    // Dialogs and lists fade in even when motion is reduced to an instant.
    await visitor.page.waitForFunction(() =>
      document.getAnimations().every(({ playState }) => playState !== 'running'),
    );
    return visitor;
  }

  private enter(who: Who, options: BrowserContextOptions): Promise<Visit> {
    const { url, member, administrator } = this.stack;
    return who === 'visitor'
      ? visit(this.browser, url, options)
      : visitAs(this.browser, who === 'member' ? member : administrator, options);
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
