import { loadCommunity } from '@meetmark/platform/community/community';
import type { WorkerConfig } from '../worker.config.js';
import { Sender } from './sender.js';

const community = loadCommunity(new URL('../../../../config/demo/community.json', import.meta.url).pathname);

describe('the sender', () => {
  it.each([
    ['events@meet.example', 'Northern Digital Marketers', 'events@meet.example', 'meet.example'],
    ['Our Events <events@localhost>', 'Our Events', 'events@localhost', 'localhost'],
    ['"Events, and more" <a@meet.example>', 'Events, and more', 'a@meet.example', 'meet.example'],
  ])('of %j has a name, an address and a domain', (mailFrom, name, address, domain) => {
    const sender = new Sender({ mailFrom } as WorkerConfig, community);
    expect(sender).toMatchObject({ name, address, domain });
  });
});
