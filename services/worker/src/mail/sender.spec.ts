import { loadConfig } from '@meetmark/platform';
import { loadCommunity } from '@meetmark/platform/community/community';
import { WorkerConfig } from '../worker.config.js';
import { Sender } from './sender.js';

const community = loadCommunity(new URL('../../../../config/demo/community.json', import.meta.url).pathname);

function createSender(mailFrom: string): Sender {
  const secret = 'a secret of at least thirty-two characters';
  const config = loadConfig(WorkerConfig, {
    DATABASE_URL: 'postgres://localhost/meetmark',
    REDIS_URL: 'redis://localhost',
    SMTP_URL: 'smtp://localhost',
    PUBLIC_URL: 'https://meet.example',
    COMMUNITY_CONFIG: 'community.json',
    LINK_SECRETS: secret,
    RESET_CODE_SECRETS: secret,
    GUEST_CODE_SECRETS: secret,
    MAIL_FROM: mailFrom,
  });
  return new Sender(config, community);
}

describe('MAIL_FROM', () => {
  it('accepts an address and adds the community’s name', () => {
    expect(createSender('events@meet.example')).toMatchObject({
      name: 'Northern Digital Marketers',
      address: 'events@meet.example',
      domain: 'meet.example',
    });
  });

  it('accepts a name with the address', () => {
    expect(createSender('Our Events <events@localhost>')).toMatchObject({
      name: 'Our Events',
      address: 'events@localhost',
    });
    expect(createSender('"Events, and more" <events@meet.example>')).toMatchObject({
      name: 'Events, and more',
    });
  });

  it.each(['events', 'Events <events>', 'a@b.co, c@d.co', 'a@b.co\r\nBcc: c@d.co'])(
    'rejects the sender %j',
    (mailFrom) => {
      expect(() => createSender(mailFrom)).toThrow('MAIL_FROM must be an email address');
    },
  );
});
