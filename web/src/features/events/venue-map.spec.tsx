import type { EventPage } from '@meetmark/contracts';
import { act, fireEvent, screen } from '@testing-library/react';
import { fakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent } from '../../testing/samples';
import { EventDetails } from './event-details';
import './programme'; // loaded before it is waited for

describe('The map of a venue', () => {
  const { content } = anEvent();
  const venue = { name: 'Town hall', address: '1 High Street', note: null, mapUrl: null };
  const shown = async (hasMaps: boolean, given: Partial<EventPage> = {}) => {
    fakeApi({});
    const event = anEvent({ content: { ...content, venue }, ...given });
    const community = { hasMaps };
    await act(
      async () => void renderScreen(<EventDetails event={event} heading="h1" />, { user: null, community }),
    );
    return screen.queryByRole('img', { name: 'Map of 1 High Street' });
  };

  it('stands below the address, and leads where the directions do', async () => {
    const map = await shown(true);
    expect(map!.getAttribute('src')).toMatch(/^\/media\/maps\/[0-9a-f-]{36}\.webp\?version=\d+$/);
    const directions = screen.getByRole('link', { name: 'Directions to Town hall' });
    expect(map!.closest('a')!.href).toBe((directions as HTMLAnchorElement).href);
  });

  it('is gone when there is no picture, and leaves the address', async () => {
    const map = await shown(true);
    fireEvent.error(map!);
    expect(screen.queryByRole('img', { name: 'Map of 1 High Street' })).toBeNull();
    screen.getByText('1 High Street');
  });

  it.each<[string, boolean, Partial<EventPage>]>([
    ['the community has no maps', false, {}],
    ['one takes part online', true, { format: 'online' }],
    ['visitors are not answered the event', true, { status: 'draft' }],
    ['no address is known', true, { content: { ...content, venue: { ...venue, address: null } } }],
  ])('is not asked for where %s', async (_, hasMaps, given) => {
    expect(await shown(hasMaps, given)).toBeNull();
  });
});
